# How the bot plays: the file to change. One Strategy plays all games of a series, so it can learn.
class Strategy
  NAME = "Rubyist"

  def new_game(rows, cols, lengths, seed, apart)
    @lengths = lengths
    @apart = apart # whether ships may not touch, not at corners either
    @random = Random.new(seed) # the same seed, the same game
    @untried = [*0...rows].product([*0...cols])
    @hits = [] # on ships still afloat, as far as we know
  end

  # Returns [row, col, "h" or "v"] for each ship, in the order of lengths; nil if there is no way.
  def place
    100.times do
      places = try_to_place
      return places if places
    end
    nil
  end

  # Puts each ship where there is room, at random, the longest first; nil if one finds no room.
  def try_to_place
    places = []
    free = @untried.to_h { |cell| [cell, true] } # all cells, before the first attack
    @lengths.each_index.sort_by { |ship| [-@lengths[ship], ship] }.each do |ship|
      options = @untried.product(["h", "v"]).map(&:flatten)
      options.select! { |place| cells(place, @lengths[ship]).all? { |cell| free[cell] } }
      return nil if options.empty?

      places[ship] = options.sample(random: @random)
      beside = @apart ? [-1, 0, 1] : [0]
      taken = cells(places[ship], @lengths[ship]).product(beside, beside)
      taken.each { |(row, col), down, right| free.delete([row + down, col + right]) }
    end
    places
  end

  # The cells of a ship that lies there.
  def cells(place, length)
    row, col, direction = place
    (0...length).map { |i| direction == "h" ? [row, col + i] : [row + i, col] }
  end

  # Returns the [row, col] to shoot at: next to a hit if there is one, else anywhere.
  def attack
    near = @untried.select { |row, col| @hits.any? { |r, c| (r - row).abs + (c - col).abs == 1 } }
    cell = (near.empty? ? @untried : near).sample(random: @random) || [0, 0]
    @untried.delete(cell)
    cell
  end

  # Returns the cells for all shots of a turn of the salvo game. Their results come after the last shot.
  def salvo(shots)
    Array.new(shots) { attack }
  end

  # Says what became of an attack: "miss", "hit", "sunk" (then ship is its number) or "wasted".
  def result(row, col, what, ship)
    @untried.delete([row, col]) # a test may tell other attacks
    @hits << [row, col] if what == "hit"
    @hits.clear if what == "sunk"
  end

  # Says where the opponent has shot.
  def opponent(row, col)
  end
end
