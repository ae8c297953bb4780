import java.util.*;

/** The first tests of the strategy: java -ea StrategyTest */
class StrategyTest {
    public static void main(String[] args) {
        shipsLieOnTheBoardAndNotOnOneAnother();
        shipsThatMayNotTouchDoNot();
        aFleetWithoutRoomIsNotPlaced();
        noCellIsAttackedTwice();
        aSalvoHasACellForEachShot();
        afterAHitComesItsNeighbour();
        theSameSeedGivesTheSamePlay();
        System.out.println("all tests pass");
    }

    static Strategy newGame(int rows, int cols, Integer... lengths) {
        Strategy strategy = new Strategy();
        strategy.newGame(rows, cols, List.of(lengths), 1, false);
        return strategy;
    }

    static void shipsLieOnTheBoardAndNotOnOneAnother() {
        Integer[] lengths = {5, 4, 3, 3, 2};
        List<Place> places = newGame(10, 10, lengths).place();
        assert places.size() == lengths.length;
        Set<Cell> taken = new HashSet<>();
        for (int ship = 0; ship < lengths.length; ship++) {
            for (Cell cell : places.get(ship).cells(lengths[ship])) {
                assert 0 <= cell.row() && cell.row() < 10 && 0 <= cell.col() && cell.col() < 10 : cell;
                assert taken.add(cell) : cell;
            }
        }
    }

    static void shipsThatMayNotTouchDoNot() {
        List<Integer> lengths = List.of(5, 4, 3, 3, 2);
        for (int seed = 0; seed < 20; seed++) {
            Strategy strategy = new Strategy();
            strategy.newGame(10, 10, lengths, seed, true);
            List<Place> places = strategy.place();
            List<Cell> others = new ArrayList<>();
            for (int ship = 0; ship < lengths.size(); ship++) {
                List<Cell> cells = places.get(ship).cells(lengths.get(ship));
                for (Cell cell : cells) assert others.stream().noneMatch(other -> cell.isWithin(1, other)) : places;
                others.addAll(cells);
            }
        }
    }

    static void aFleetWithoutRoomIsNotPlaced() {
        assert newGame(1, 2, 2, 1).place().isEmpty();
    }

    static void noCellIsAttackedTwice() {
        Strategy strategy = newGame(3, 7, 2);
        Set<Cell> tried = new HashSet<>();
        for (int i = 0; i < 21; i++) assert tried.add(strategy.attack());
    }

    static void aSalvoHasACellForEachShot() {
        Strategy strategy = newGame(2, 4, 2);
        Set<Cell> tried = new HashSet<>(strategy.salvo(5));
        tried.addAll(strategy.salvo(3));
        assert tried.size() == 8 : tried;
        assert strategy.salvo(2).size() == 2; // no cell is left to try
    }

    static void afterAHitComesItsNeighbour() {
        Strategy strategy = newGame(1, 9, 2);
        strategy.result(new Cell(0, 4), "hit", -1);
        assert Set.of(new Cell(0, 3), new Cell(0, 5)).contains(strategy.attack());
    }

    static void theSameSeedGivesTheSamePlay() {
        assert newGame(10, 10, 5, 4).place().equals(newGame(10, 10, 5, 4).place());
    }
}
