# The first tests of the strategy: ruby test_strategy.rb
require "minitest/autorun"
require_relative "strategy"

class TestStrategy < Minitest::Test
  def new_game(rows, cols, lengths, seed = 1, apart = false)
    Strategy.new.tap { |strategy| strategy.new_game(rows, cols, lengths, seed, apart) }
  end

  def test_ships_lie_on_the_board_and_not_on_one_another
    lengths = [5, 4, 3, 3, 2]
    strategy = new_game(10, 10, lengths)
    cells = strategy.place.zip(lengths).flat_map { |place, length| strategy.cells(place, length) }
    assert_equal 17, cells.uniq.size
    assert cells.flatten.all? { |number| number.between?(0, 9) }
  end

  def test_ships_that_may_not_touch_do_not
    lengths = [5, 4, 3, 3, 2]
    20.times do |seed|
      strategy = new_game(10, 10, lengths, seed, true)
      ships = strategy.place.zip(lengths).map { |place, length| strategy.cells(place, length) }
      ships.combination(2) do |one, other|
        near = one.product(other).any? { |(r, c), (row, col)| (r - row).abs <= 1 && (c - col).abs <= 1 }
        refute near, ships.inspect
      end
    end
  end

  def test_a_fleet_without_room_is_not_placed
    assert_nil new_game(1, 2, [2, 1]).place
  end

  def test_no_cell_is_attacked_twice
    strategy = new_game(3, 7, [2])
    assert_equal 21, Array.new(21) { strategy.attack }.uniq.size
  end

  def test_a_salvo_has_a_cell_for_each_shot
    strategy = new_game(2, 4, [2])
    assert_equal 8, (strategy.salvo(5) + strategy.salvo(3)).uniq.size
    assert_equal 2, strategy.salvo(2).size # no cell is left to try
  end

  def test_after_a_hit_comes_its_neighbour
    strategy = new_game(1, 9, [2])
    strategy.result(0, 4, "hit", nil)
    assert_includes [[0, 3], [0, 5]], strategy.attack
  end

  def test_the_same_seed_gives_the_same_play
    assert_equal new_game(10, 10, [5, 4]).place, new_game(10, 10, [5, 4]).place
  end
end
