import java.util.*;
import java.util.stream.IntStream;

record Cell(int row, int col) {
    boolean touches(Cell other) {
        return Math.abs(row - other.row) + Math.abs(col - other.col) == 1;
    }

    boolean isWithin(int steps, Cell other) { // a step may be diagonal
        return Math.abs(row - other.row) <= steps && Math.abs(col - other.col) <= steps;
    }
}

/** Where a ship lies: its topmost or leftmost cell, and 'h' or 'v'. */
record Place(int row, int col, char direction) {
    List<Cell> cells(int length) {
        int down = direction == 'v' ? 1 : 0, right = 1 - down;
        return IntStream.range(0, length).mapToObj(i -> new Cell(row + i * down, col + i * right)).toList();
    }
}

/** How the bot plays: the file to change. One Strategy plays all games of a series, so it can learn. */
class Strategy {
    static final String NAME = "Javanaut";

    private List<Integer> lengths;
    private boolean apart; // whether ships may not touch, not at corners either
    private Random random;
    private final List<Cell> untried = new ArrayList<>();
    private final List<Cell> hits = new ArrayList<>(); // on ships still afloat, as far as we know

    void newGame(int rows, int cols, List<Integer> lengths, int seed, boolean apart) {
        this.lengths = lengths;
        this.apart = apart;
        random = new Random(seed); // the same seed, the same game
        untried.clear();
        hits.clear();
        for (int i = 0; i < rows * cols; i++) untried.add(new Cell(i / cols, i % cols));
    }

    /** Returns where each ship goes, in the order of their lengths; nothing if there is no way. */
    List<Place> place() {
        List<Place> places = List.of();
        for (int tries = 0; tries < 200 && places.isEmpty(); tries++) places = tryToPlace();
        return places;
    }

    /** Puts each ship where there is room, at random, the longest first; nothing if one finds no room. */
    private List<Place> tryToPlace() {
        Place[] places = new Place[lengths.size()];
        Set<Cell> free = new HashSet<>(untried); // all cells, before the first attack
        List<Integer> ships = new ArrayList<>(IntStream.range(0, places.length).boxed().toList());
        ships.sort(Comparator.comparing(ship -> -lengths.get(ship)));
        for (int ship : ships) {
            int length = lengths.get(ship);
            List<Place> options = new ArrayList<>();
            for (Cell cell : untried) {
                options.add(new Place(cell.row(), cell.col(), 'h'));
                options.add(new Place(cell.row(), cell.col(), 'v'));
            }
            options.removeIf(option -> !free.containsAll(option.cells(length)));
            if (options.isEmpty()) return List.of();
            places[ship] = oneOf(options);
            for (Cell taken : places[ship].cells(length)) free.removeIf(cell -> cell.isWithin(apart ? 1 : 0, taken));
        }
        return List.of(places);
    }

    /** Returns where to shoot: next to a hit if there is one, else anywhere. */
    Cell attack() {
        if (untried.isEmpty()) return new Cell(0, 0);
        List<Cell> near = untried.stream().filter(cell -> hits.stream().anyMatch(cell::touches)).toList();
        Cell chosen = oneOf(near.isEmpty() ? untried : near);
        untried.remove(chosen);
        return chosen;
    }

    /** Returns the cells for all shots of a turn of the salvo game. Their results come after the last shot. */
    List<Cell> salvo(int shots) {
        List<Cell> cells = new ArrayList<>();
        while (cells.size() < shots) cells.add(attack());
        return cells;
    }

    private <T> T oneOf(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    /** Says what became of an attack: "miss", "hit", "sunk" (then ship is its number) or "wasted". */
    void result(Cell cell, String what, int ship) {
        untried.remove(cell); // a test may tell other attacks
        if (what.equals("hit")) hits.add(cell);
        if (what.equals("sunk")) hits.clear();
    }

    /** Says where the opponent has shot. */
    void opponent(Cell cell) { }
}
