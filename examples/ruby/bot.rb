# Speaks the protocol for the strategy in strategy.rb. Nothing to change here.
require_relative "strategy"

$stdout.sync = true # or the referee would wait in vain
$stdin.binmode # names may be in any alphabet
strategy = Strategy.new
rows, cols, lengths, seed = 0, 0, [], 0

while (line = $stdin.gets)
  command, *words = line.split
  case command
  when "battleship"
    puts "name #{Strategy::NAME}", "ready"
  when "game"
    rows, cols, lengths, seed = words[1].to_i, words[2].to_i, [], 0
  when "ship"
    lengths << words[1].to_i
  when "seed"
    seed = words[0].to_i
  when "place"
    strategy.new_game(rows, cols, lengths, seed)
    puts ["place", *(strategy.place || "none")].join(" ")
  when "attack"
    puts ["attack", *strategy.attack].join(" ")
  when "result"
    strategy.result(words[0].to_i, words[1].to_i, words[2], words[3]&.to_i)
  when "opponent"
    strategy.opponent(words[0].to_i, words[1].to_i)
  when "quit"
    break
  end
end
