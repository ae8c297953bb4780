//! The imports of a module: the functions of WASI preview 1. Only three streams, a clock and random
//! bytes do something.
//!
//! The numbers of errors and the layouts in memory are those of WASI:
//! <https://github.com/WebAssembly/WASI/blob/main/legacy/preview1/docs.md>.

use std::io::{BufRead, Write};

use wasmi::{Caller, Error, ExternType, Linker, Memory, Module, TrapCode, Val, ValType};

use crate::End;
use crate::dialogue::Input;
use crate::module::Host;
use bothost::HostVerdict;

const NAME: &str = "wasi_snapshot_preview1";

/// The cost of a call besides its bytes: about the time that it takes.
const COST_OF_CALL: u64 = 1000;

/// The cost of each piece of a list besides its bytes; one that is written is a call of the system.
const COST_OF_PIECE: u64 = 20;

/// The most subscriptions of one wait, and pieces of one write.
const MOST_PIECES: u32 = 1024;

const SUCCESS: i32 = 0;
const BAD_DESCRIPTOR: i32 = 8;
const BAD_ADDRESS: i32 = 21;
const INVALID: i32 = 28;
const NOT_PERMITTED: i32 = 76;

/// The rights to read and to write.
const READ: u64 = 1 << 1;
const WRITE: u64 = 1 << 6;

/// A terminal. So C libraries flush each line, and a bot whose author has forgotten it is heard.
const CHARACTER_DEVICE: u8 = 2;

/// The functions that are there for programs which never call them, and always fail.
const REFUSED: [&str; 29] = [
    "fd_advise",
    "fd_allocate",
    "fd_datasync",
    "fd_fdstat_set_rights",
    "fd_filestat_set_size",
    "fd_filestat_set_times",
    "fd_pread",
    "fd_prestat_dir_name",
    "fd_prestat_get",
    "fd_pwrite",
    "fd_readdir",
    "fd_renumber",
    "fd_seek",
    "fd_sync",
    "fd_tell",
    "path_create_directory",
    "path_filestat_get",
    "path_filestat_set_times",
    "path_link",
    "path_open",
    "path_readlink",
    "path_remove_directory",
    "path_rename",
    "path_symlink",
    "path_unlink_file",
    "sock_accept",
    "sock_recv",
    "sock_send",
    "sock_shutdown",
];

/// A call of a module.
struct Call<'c, I: 'static, O: 'static, E: 'static> {
    caller: Caller<'c, Host<I, O, E>>,
    memory: Memory,
}

/// The reason why a call does not succeed: with a number for the module, or not at all.
enum Failure {
    Number(i32),
    Over(Error),
}

type Done = Result<(), Failure>;

/// Bytes of a module's memory, and its host.
type Memories<'m, I, O, E> = (&'m mut [u8], &'m mut Host<I, O, E>);

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Over(error)
    }
}

const fn fail<T>(number: i32) -> Result<T, Failure> {
    Err(Failure::Number(number))
}

/// Ends the module.
fn end<I, O, E>(caller: &mut Caller<'_, Host<I, O, E>>, end: End) -> Failure {
    caller.data_mut().end = Some(end);
    Failure::Over(Error::new("ended by the host"))
}

impl<I, O, E> Call<'_, I, O, E>
where
    I: BufRead + Send + 'static,
    O: Write + Send + 'static,
    E: Write + Send + 'static,
{
    /// Has the module pay for `bytes`, or sleep as many nanoseconds.
    fn pay(&mut self, units: u64) -> Done {
        let left = self.caller.get_fuel()?;
        let Some(rest) = left.checked_sub(units) else {
            return Err(Error::from(TrapCode::OutOfFuel).into());
        };
        Ok(self.caller.set_fuel(rest)?)
    }

    /// Returns the time: the fuel that was used, in nanoseconds.
    fn now(&self) -> Result<u64, Failure> {
        let host = self.caller.data();
        Ok(host.used_before + host.fuel.saturating_sub(self.caller.get_fuel()?))
    }

    /// Returns the bytes of the module's memory at `at`, and the host.
    fn at(&mut self, at: u32, length: u32) -> Result<Memories<'_, I, O, E>, Failure> {
        let (bytes, host) = self.memory.data_and_store_mut(&mut self.caller);
        let start = at as usize;
        let found = start
            .checked_add(length as usize)
            .and_then(|end| bytes.get_mut(start..end));
        found
            .map(|bytes| (bytes, host))
            .ok_or(Failure::Number(BAD_ADDRESS))
    }

    fn put(&mut self, at: u32, bytes: &[u8]) -> Done {
        let length = u32::try_from(bytes.len()).map_err(|_| Failure::Number(INVALID))?;
        self.at(at, length)?.0.copy_from_slice(bytes);
        Ok(())
    }

    fn put_number(&mut self, at: u32, number: u32) -> Done {
        self.put(at, &number.to_le_bytes())
    }

    fn number(&mut self, at: u32) -> Result<u32, Failure> {
        let bytes = self.at(at, 4)?.0;
        Ok(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    /// Returns the pieces of memory that a list names, each with its address and length.
    fn pieces(&mut self, list: u32, count: u32) -> Result<Vec<(u32, u32)>, Failure> {
        if count > MOST_PIECES {
            return fail(INVALID);
        }
        self.pay(COST_OF_PIECE * u64::from(count))?;
        let place = |nth: u32| {
            list.checked_add(8 * nth)
                .ok_or(Failure::Number(BAD_ADDRESS))
        };
        let mut pieces = Vec::new();
        for nth in 0..count {
            let at = place(nth)?;
            let length = self.number(at.checked_add(4).ok_or(Failure::Number(BAD_ADDRESS))?)?;
            pieces.push((self.number(at)?, length));
        }
        Ok(pieces)
    }

    fn read(&mut self, fd: u32, list: u32, count: u32, done: u32) -> Done {
        if fd != 0 {
            return fail(BAD_DESCRIPTOR);
        }
        // The first piece that holds something: a read may always give less.
        let mut pieces = self.pieces(list, count)?.into_iter();
        let (at, length) = pieces.find(|(_, length)| *length > 0).unwrap_or((0, 0));
        let (buffer, host) = self.at(at, length)?;
        let input = host.dialogue.read(buffer);
        let count = match input {
            Input::Bytes(count) | Input::Request(count) => count,
            Input::Deadlock => {
                return Err(end(&mut self.caller, End::Failed(HostVerdict::Silent)));
            }
        };
        if matches!(input, Input::Request(_)) {
            let now = self.now()?;
            let host = self.caller.data_mut();
            host.used_before = now;
            let fuel = host.fuel;
            self.caller.set_fuel(fuel)?;
        }
        self.put_number(done, u32::try_from(count).unwrap_or(u32::MAX))
    }

    fn write(&mut self, fd: u32, list: u32, count: u32, done: u32) -> Done {
        if !matches!(fd, 1 | 2) {
            return fail(BAD_DESCRIPTOR);
        }
        let mut written = 0_u32;
        let pieces = self.pieces(list, count)?;
        for (at, length) in pieces.into_iter().filter(|(_, length)| *length > 0) {
            // The call itself has paid for the first.
            let call = if written > 0 { COST_OF_CALL } else { 0 };
            self.pay(call + u64::from(length))?;
            let (bytes, host) = self.at(at, length)?;
            let said = match fd {
                1 => host.dialogue.say(bytes),
                // Whether anybody reads it makes no difference.
                _ => host.dialogue.log(bytes).or(Ok(())),
            };
            if said.is_err() {
                return Err(end(&mut self.caller, End::Unheard));
            }
            written = written.saturating_add(length);
        }
        self.put_number(done, written)
    }

    /// Waits for the first of `count` events, each 48 bytes at `list`; says which have come, each
    /// in 32 bytes at `events`. Streams are ready at any time, and a sleep takes fuel.
    fn wait(&mut self, list: u32, events: u32, count: u32, done: u32) -> Done {
        if count == 0 || count > MOST_PIECES {
            return fail(INVALID);
        }
        self.pay(COST_OF_PIECE * u64::from(count))?;
        let subscriptions = self.at(list, 48 * count)?.0.to_vec();
        let now = self.now()?;
        let mut ready = Vec::new();
        let mut sleeps = Vec::new();
        for subscription in subscriptions.chunks_exact(48) {
            let number = |at: usize| {
                subscription[at..at + 8]
                    .iter()
                    .rev()
                    .fold(0, |sum, byte| sum << 8 | u64::from(*byte))
            };
            let user_data = number(0);
            let kind = subscription[8];
            if kind == 0 {
                let is_absolute = subscription[40] & 1 == 1;
                sleeps.push((
                    if is_absolute {
                        number(24).saturating_sub(now)
                    } else {
                        number(24)
                    },
                    user_data,
                ));
            } else {
                ready.push((user_data, kind));
            }
        }
        if ready.is_empty() {
            let shortest = sleeps
                .iter()
                .map(|(time, _)| *time)
                .min()
                .unwrap_or_default();
            self.pay(shortest)?;
            let over = sleeps.into_iter().filter(|(time, _)| *time == shortest);
            ready.extend(over.map(|(_, user_data)| (user_data, 0)));
        }
        for (nth, (user_data, kind)) in (0_u32..).zip(&ready) {
            let mut event = [0; 32];
            event[..8].copy_from_slice(&user_data.to_le_bytes());
            event[10] = *kind;
            event[16] = 1;
            let at = events
                .checked_add(32 * nth)
                .ok_or(Failure::Number(BAD_ADDRESS))?;
            self.put(at, &event)?;
        }
        self.put_number(done, u32::try_from(ready.len()).unwrap_or(u32::MAX))
    }

    /// Puts `words`, each with a zero behind it, at `text`, and where each is at `list`.
    fn put_words(&mut self, list: u32, mut text: u32) -> Done {
        let words = self.caller.data().arguments.clone();
        let bytes: usize = words.iter().map(|word| word.len() + 1).sum();
        self.pay(COST_OF_PIECE * words.len() as u64 + bytes as u64)?;
        for (nth, word) in (0_u32..).zip(&words) {
            let at = list
                .checked_add(4 * nth)
                .ok_or(Failure::Number(BAD_ADDRESS))?;
            self.put_number(at, text)?;
            let word = [word, &[0][..]].concat();
            self.put(text, &word)?;
            text += u32::try_from(word.len()).unwrap_or(u32::MAX);
        }
        Ok(())
    }

    fn describe(&mut self, fd: u32, at: u32) -> Done {
        let rights = match fd {
            0 => READ,
            1 | 2 => WRITE,
            _ => return fail(BAD_DESCRIPTOR),
        };
        let mut description = [0; 24];
        description[0] = CHARACTER_DEVICE;
        description[8..16].copy_from_slice(&rights.to_le_bytes());
        self.put(at, &description)
    }

    fn describe_file(&mut self, fd: u32, at: u32) -> Done {
        let mut description = [0; 64];
        description[16] = CHARACTER_DEVICE;
        if fd > 2 {
            fail(BAD_DESCRIPTOR)
        } else {
            self.put(at, &description)
        }
    }

    fn roll(&mut self, at: u32, length: u32) -> Done {
        self.pay(length.into())?;
        let (bytes, host) = self.at(at, length)?;
        host.dialogue.roll(bytes);
        Ok(())
    }

    fn put_sizes(&mut self, count: u32, bytes: u32) -> Done {
        let words = &self.caller.data().arguments;
        let (words, all) = (
            words.len(),
            words.iter().map(|word| word.len() + 1).sum::<usize>(),
        );
        for (at, size) in [(count, words), (bytes, all)] {
            self.put_number(at, u32::try_from(size).unwrap_or(u32::MAX))?;
        }
        Ok(())
    }
}

/// Makes a call of `caller` by `work`. Returns the number that tells the module how it went.
fn call<I, O, E>(
    caller: Caller<'_, Host<I, O, E>>,
    work: impl FnOnce(&mut Call<'_, I, O, E>) -> Done,
) -> Result<i32, Error>
where
    I: BufRead + Send + 'static,
    O: Write + Send + 'static,
    E: Write + Send + 'static,
{
    // Not from the caller, whose exports wasmi 2.0.0 does not find in programs for Windows that are
    // not optimized.
    let Some(memory) = caller.data().memory else {
        return Err(Error::new(
            "it calls its host, and exports no memory or has not reached _start",
        ));
    };
    let mut call = Call { caller, memory };
    match call.pay(COST_OF_CALL).and_then(|()| work(&mut call)) {
        Ok(()) => Ok(SUCCESS),
        Err(Failure::Number(number)) => Ok(number),
        Err(Failure::Over(error)) => Err(error),
    }
}

/// Gives `linker` what `module` may import.
///
/// # Errors
/// If it imports something else.
pub(crate) fn provide<I, O, E>(
    linker: &mut Linker<Host<I, O, E>>,
    module: &Module,
) -> Result<(), Error>
where
    I: BufRead + Send + 'static,
    O: Write + Send + 'static,
    E: Write + Send + 'static,
{
    /// Defines functions by their names, the types of their arguments and what they do.
    macro_rules! define {
        ($($name:literal |$call:ident $(, $argument:ident: $type:ty)*| $work:expr;)*) => {
            $(linker.func_wrap(NAME, $name, |caller: Caller<'_, Host<I, O, E>>, $($argument: $type),*| {
                call(caller, |$call| $work)
            })?;)*
        };
    }
    define! {
        "args_get" |call, list: u32, text: u32| call.put_words(list, text);
        "args_sizes_get" |call, count: u32, bytes: u32| call.put_sizes(count, bytes);
        "clock_res_get" |call, _clock: u32, at: u32| call.put(at, &1_u64.to_le_bytes());
        "clock_time_get" |call, _clock: u32, _precision: u64, at: u32| {
            let now = call.now()?;
            call.put(at, &now.to_le_bytes())
        };
        "environ_get" |_call, _list: u32, _text: u32| Ok(());
        "environ_sizes_get" |call, count: u32, bytes: u32| {
            call.put_number(count, 0)?;
            call.put_number(bytes, 0)
        };
        "fd_close" |_call, fd: u32| if fd > 2 { fail(BAD_DESCRIPTOR) } else { Ok(()) };
        "fd_fdstat_get" |call, fd: u32, at: u32| call.describe(fd, at);
        "fd_fdstat_set_flags" |_call, fd: u32, _flags: u32| {
            if fd > 2 { fail(BAD_DESCRIPTOR) } else { Ok(()) }
        };
        "fd_filestat_get" |call, fd: u32, at: u32| call.describe_file(fd, at);
        "fd_read" |call, fd: u32, list: u32, count: u32, done: u32| call.read(fd, list, count, done);
        "fd_write" |call, fd: u32, list: u32, count: u32, done: u32| call.write(fd, list, count, done);
        "poll_oneoff" |call, list: u32, events: u32, count: u32, done: u32| {
            call.wait(list, events, count, done)
        };
        "proc_raise" |call, signal: u32| Err(end(&mut call.caller, End::Exited(128 + signal % 128)));
        "random_get" |call, at: u32, length: u32| call.roll(at, length);
        "sched_yield" |_call| Ok(());
    }
    linker.func_wrap(
        NAME,
        "proc_exit",
        |caller: Caller<'_, Host<I, O, E>>, code: u32| {
            call(caller, |call| Err(end(&mut call.caller, End::Exited(code)))).map(|_| ())
        },
    )?;
    for import in module.imports() {
        let name = import.name();
        let refused = REFUSED.contains(&import.name());
        // By whatever arguments: they make no difference.
        let ExternType::Func(own) = import.ty() else {
            continue;
        };
        if refused && import.module() == NAME && own.results() == [ValType::I32] {
            let number = if name.starts_with("fd_") {
                BAD_DESCRIPTOR
            } else {
                NOT_PERMITTED
            };
            // One that is imported twice is there by now.
            let _ = linker.func_new(NAME, name, own.clone(), move |mut caller, _, results| {
                let left = caller.get_fuel()?.checked_sub(COST_OF_CALL);
                caller.set_fuel(left.ok_or(TrapCode::OutOfFuel)?)?;
                results[0] = Val::I32(number);
                Ok(())
            });
        }
    }
    Ok(())
}
