//! Players that are no processes.

/// A player that the referee calls, as a person at its screen: no process of its own. It is made in
/// the thread that calls it.
pub trait Local {
    /// Receives whole lines that the player is told, each with its line feed. What it replies is
    /// added to `reply`, what it logs to `log`. Returns whether the dialogue continues.
    fn receive(&mut self, lines: &[u8], reply: &mut Vec<u8>, log: &mut Vec<u8>) -> bool;
}
