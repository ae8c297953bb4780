//! Games for people: the transcript of a game as the course's sample program prints it, and the dialogue with
//! the bots word by word.

mod keyboard;
mod transcript;

pub use keyboard::Keyboard;

pub use transcript::Transcript;
