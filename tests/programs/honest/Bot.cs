// A bot in C#. Mono sets the priority of its own threads as it starts, and fails if it may not.
using System;
using System.Threading;

class Bot {
    static void Main() {
        int rows = 0, cols = 0, shots = 0;
        var other = new Thread(() => Thread.Sleep(Timeout.Infinite));
        other.IsBackground = true;
        other.Priority = ThreadPriority.AboveNormal;
        other.Start();
        string line;
        while ((line = Console.ReadLine()) != null) {
            var words = line.Split(' ');
            switch (words[0]) {
                case "battleship": Console.WriteLine("ready"); break;
                case "game": rows = int.Parse(words[2]); cols = int.Parse(words[3]); shots = 0; break;
                case "place": Console.WriteLine("place 0 0 h"); break;
                case "attack":
                    Console.WriteLine("attack {0} {1}", shots / cols % rows, shots % cols);
                    shots++;
                    break;
                case "quit": return;
            }
        }
    }
}
