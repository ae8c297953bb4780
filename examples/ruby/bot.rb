# Speaks the protocol for the strategy in strategy.rb. Nothing to change here.
require_relative "strategy"

$stdout.sync = true # or the referee would wait in vain
$stdin.binmode # names may be in any alphabet
strategy = Strategy.new
rows, cols, lengths, seed, apart = 0, 0, [], 0, false

while (line = $stdin.gets)
  command, *words = line.split
  case command
  when "battleship"
    puts "name #{Strategy::NAME}", "plays classic salvo apart", "ready"
  when "game"
    rows, cols, lengths, seed, apart = words[1].to_i, words[2].to_i, [], 0, false
  when "ship"
    lengths << words[1].to_i
  when "rule"
    apart ||= words[0] == "apart"
  when "seed"
    seed = words[0].to_i
  when "place"
    strategy.new_game(rows, cols, lengths, seed, apart)
    puts ["place", *(strategy.place || "none")].join(" ")
  when "attack"
    puts ["attack", *strategy.attack].join(" ")
  when "salvo"
    puts ["salvo", *strategy.salvo(words[0].to_i)].join(" ")
  when "result"
    strategy.result(words[0].to_i, words[1].to_i, words[2], words[3]&.to_i)
  when "opponent"
    strategy.opponent(words[0].to_i, words[1].to_i)
  when "quit"
    break
  end
end
