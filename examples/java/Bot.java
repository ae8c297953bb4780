import static java.lang.Integer.parseInt;

import java.util.*;

/** Speaks the protocol for the strategy in Strategy.java. Nothing to change here. */
class Bot {
    public static void main(String[] args) {
        Strategy strategy = new Strategy();
        List<Integer> lengths = new ArrayList<>();
        String[] game = {};
        int seed = 0;
        boolean apart = false;
        for (Scanner input = new Scanner(System.in); input.hasNextLine();) {
            String[] words = input.nextLine().split(" ");
            switch (words[0]) {
                case "battleship" -> say("name " + Strategy.NAME + "\nplays classic salvo apart\nready");
                case "game" -> {
                    game = words;
                    lengths.clear();
                    apart = false;
                }
                case "ship" -> lengths.add(parseInt(words[2]));
                case "rule" -> apart |= words[1].equals("apart");
                case "seed" -> seed = parseInt(words[1]);
                case "place" -> {
                    strategy.newGame(parseInt(game[2]), parseInt(game[3]), lengths, seed, apart);
                    say("place" + inWords(strategy.place()));
                }
                case "attack" -> {
                    Cell cell = strategy.attack();
                    say("attack " + cell.row() + " " + cell.col());
                }
                case "salvo" -> {
                    String reply = "salvo";
                    for (Cell cell : strategy.salvo(parseInt(words[1]))) reply += " " + cell.row() + " " + cell.col();
                    say(reply);
                }
                case "result" -> {
                    int ship = words[3].equals("sunk") ? parseInt(words[4]) : -1;
                    strategy.result(cell(words), words[3], ship);
                }
                case "opponent" -> strategy.opponent(cell(words));
                case "quit" -> System.exit(0);
                default -> { } // later versions of the protocol may say more
            }
        }
    }

    private static String inWords(List<Place> places) {
        String words = places.isEmpty() ? " none" : "";
        for (Place at : places) words += " " + at.row() + " " + at.col() + " " + at.direction();
        return words;
    }

    private static Cell cell(String[] words) {
        return new Cell(parseInt(words[1]), parseInt(words[2]));
    }

    private static void say(String line) {
        System.out.println(line);
        System.out.flush(); // or the referee would wait in vain
    }
}
