//! A module in its interpreter: loading it, running it under its limits, and saying why it ended.

use std::io::{BufRead, Write};
use std::panic::{AssertUnwindSafe, catch_unwind};

use bothost::{HostVerdict, text};
use wasmi::errors::{ErrorKind, LinkerError};
use wasmi::{
    Config, CustomFuelCosts, Engine, Error, Linker, Memory, Module, OperatorCost, ResourceLimiter,
    Store, TrapCode, TypedFunc,
};
use wasmi_core::LimiterError;
use wasmparser::{
    ConstExpr, DataKind, Element, ElementItems, ElementKind, Parser, Payload, TableInit,
};

use crate::dialogue::Dialogue;
use crate::{End, LimitedAllocator, Limits, wasi};

/// The most elements of all tables together: more than any compiler makes functions.
const MOST_ELEMENTS: usize = 1 << 20;

/// The most times that a module may ask for more memory or elements. Each takes some of the
/// interpreter's own stack and leaves it taken, [`STACK`] bytes in all.
const MOST_GROWTHS: u32 = 50_000;
pub(crate) const STACK: usize = 64 << 20;

/// The most locals of a function, and those that a call fills with zeros for a unit of fuel more.
const MOST_LOCALS: u64 = 255 * LOCALS_PER_FUEL;
const LOCALS_PER_FUEL: u64 = 32;

/// The most bytes of a constant expression: the interpreter evaluates a longer one by recursion,
/// until its stack is full. Compilers make a few.
const LONGEST_CONSTANT: usize = 1024;

/// The deepest nesting of calls, and the most bytes of their values.
const DEEPEST: usize = 20_000;
const HIGHEST: usize = 16 << 20;

/// The data of the host's functions for a module.
pub(crate) struct Host<I, O, E> {
    pub(crate) dialogue: Dialogue<I, O, E>,
    pub(crate) arguments: Vec<Vec<u8>>,
    pub(crate) fuel: u64,
    /// The fuel that was used up to the last request.
    pub(crate) used_before: u64,
    /// Its memory, once it is there: functions that run before `_start` call no function of the
    /// host.
    pub(crate) memory: Option<Memory>,
    /// The end of the module, if one of the host's functions has ended it.
    pub(crate) end: Option<End>,
    quota: Quota,
}

/// The quota that a module may still allocate.
struct Quota {
    memory: u64,
    elements: usize,
    growths: u32,
    /// The bytes of memory that it did not get.
    refused: Option<u64>,
}

impl Quota {
    fn count_growth(&mut self) -> Result<(), LimiterError> {
        let left = self.growths.checked_sub(1);
        self.growths = left.ok_or(LimiterError::ResourceLimiterDeniedAllocation)?;
        Ok(())
    }
}

impl ResourceLimiter for Quota {
    fn memory_growing(
        &mut self,
        _current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> Result<bool, LimiterError> {
        let is_given = desired as u64 <= self.memory;
        if is_given {
            LimitedAllocator::allow_memory(desired);
        } else {
            self.refused = Some(desired as u64);
        }
        self.count_growth()?;
        Ok(is_given)
    }

    fn table_growing(
        &mut self,
        current: usize,
        desired: usize,
        _maximum: Option<usize>,
    ) -> Result<bool, LimiterError> {
        let left = self.elements.checked_sub(desired.saturating_sub(current));
        self.elements = left.unwrap_or(self.elements);
        self.count_growth()?;
        Ok(left.is_some())
    }

    fn instances(&self) -> usize {
        1
    }

    fn tables(&self) -> usize {
        16
    }

    fn memories(&self) -> usize {
        1
    }
}

/// Runs the module until it ends.
pub(crate) fn run<I, O, E>(
    bytes: &[u8],
    arguments: Vec<Vec<u8>>,
    limits: Limits,
    dialogue: Dialogue<I, O, E>,
) -> (End, Dialogue<I, O, E>)
where
    I: BufRead + Send + 'static,
    O: Write + Send + 'static,
    E: Write + Send + 'static,
{
    let quota = Quota {
        memory: limits.memory,
        elements: MOST_ELEMENTS,
        growths: MOST_GROWTHS,
        refused: None,
    };
    let fuel = limits.fuel;
    let host = Host {
        dialogue,
        arguments,
        fuel,
        used_before: 0,
        memory: None,
        end: None,
        quota,
    };
    let engine = Engine::new(&config(bytes));
    let mut store = Store::new(&engine, host);
    store.limiter(|host| &mut host.quota);
    let set = store.set_fuel(fuel);
    set.expect("the engine counts fuel");
    // The interpreter is not known to panic. If it does, the module has lost, and not the referee.
    let ended = catch_unwind(AssertUnwindSafe(|| {
        load(&mut store, bytes).and_then(|start| start.call(&mut store, ()))
    }));
    let end = match ended {
        Ok(Ok(())) => End::Exited(0),
        Ok(Err(error)) => how_it_ended(&error, &mut store),
        Err(_) => End::Failed(HostVerdict::Trapped("the interpreter failed".to_owned())),
    };
    (end, store.into_data().dialogue)
}

/// Returns the function that starts the module, after what runs before it.
fn load<I, O, E>(store: &mut Store<Host<I, O, E>>, bytes: &[u8]) -> Result<TypedFunc<(), ()>, Error>
where
    I: BufRead + Send + 'static,
    O: Write + Send + 'static,
    E: Write + Send + 'static,
{
    match bytes {
        [0, b'a', b's', b'm', 1, 0, 0, 0, ..] => {}
        [0, b'a', b's', b'm', _, 0, 1, 0, ..] => {
            return Err(Error::new(
                "it is a component; build a module of WASI preview 1 (target wasm32-wasip1)",
            ));
        }
        [0, b'a', b's', b'm', ..] => {
            return Err(Error::new("it is not a module of version 1 of WebAssembly"));
        }
        _ => {
            return Err(Error::new(
                "it is not a WebAssembly module, which begins with \\0asm",
            ));
        }
    }
    if longest_constant(bytes) > LONGEST_CONSTANT {
        let what = format!("a constant expression of it has more than {LONGEST_CONSTANT} bytes");
        return Err(Error::new(what));
    }
    let engine = store.engine().clone();
    let module = Module::new(&engine, bytes)?;
    if most_locals(bytes) > MOST_LOCALS {
        let what = format!("a function of it has more than {MOST_LOCALS} local variables");
        return Err(Error::new(what));
    }
    let mut linker = Linker::new(&engine);
    wasi::provide(&mut linker, &module)?;
    if module.get_export("_start").is_none() {
        let what = "it exports no function _start: build a program, not a library";
        return Err(Error::new(what));
    }
    let instance = linker.instantiate_and_start(&mut *store, &module)?;
    store.data_mut().memory = instance.get_memory(&*store, "memory");
    instance.get_typed_func(&*store, "_start")
}

/// Returns what an error of the interpreter means.
fn how_it_ended<I, O, E>(error: &Error, store: &mut Store<Host<I, O, E>>) -> End {
    let left = store.get_fuel().unwrap_or_default();
    let host = store.data_mut();
    if let Some(end) = host.end.take() {
        return end;
    }
    let code = error.as_trap_code();
    if code == Some(TrapCode::OutOfFuel) {
        return End::Failed(HostVerdict::OutOfFuel);
    }
    let used = host.fuel.saturating_sub(left);
    let place = format!("{used} units of fuel after {}", host.dialogue.asked);
    End::Failed(match (host.quota.refused, code) {
        (Some(bytes), _) => HostVerdict::UsedTooMuch(format!(
            "asked for {} MiB of memory, and may have {}",
            bytes.div_ceil(1 << 20),
            host.quota.memory >> 20
        )),
        (None, Some(code)) => HostVerdict::Trapped(format!("{} ({place})", in_words(code))),
        (None, None) => HostVerdict::NotStarted(why_not_started(error.kind())),
    })
}

/// Returns why a module cannot be started.
#[allow(
    clippy::wildcard_enum_match_arm,
    reason = "the interpreter's words for the rest are good enough"
)]
fn why_not_started(error: &ErrorKind) -> String {
    if let ErrorKind::Linker(LinkerError::MissingDefinition { name, .. }) = error {
        let from = name.module().as_bytes();
        let name = name.name().as_bytes();
        return format!(
            "it imports {} of {}; a bot gets standard input and output, a clock and random bytes of wasi_snapshot_preview1, and nothing else",
            text::excerpt(name),
            text::excerpt(from)
        );
    }
    if let ErrorKind::Message(what) = error {
        return what.to_string();
    }
    text::shortened(&format!("it is not a module that can be run: {error}"))
}

/// Returns what has happened, as the end of a sentence.
#[allow(
    clippy::wildcard_enum_match_arm,
    reason = "the rest has its words elsewhere"
)]
fn in_words(code: TrapCode) -> &'static str {
    match code {
        TrapCode::UnreachableCodeReached => "gave up (unreachable)",
        TrapCode::MemoryOutOfBounds => "accessed memory that it has not",
        TrapCode::TableOutOfBounds => "accessed an element that its table has not",
        TrapCode::IndirectCallToNull => "called a function that is not there",
        TrapCode::IntegerDivisionByZero => "divided by zero",
        TrapCode::IntegerOverflow => "divided with an overflow",
        TrapCode::BadConversionToInteger => "made an integer of a number that is none",
        TrapCode::StackOverflow => "nested its calls too deep (a recursion without end?)",
        TrapCode::BadSignature => "called a function of another type",
        TrapCode::GrowthOperationLimited => "asked for more memory or elements too often",
        TrapCode::OutOfFuel | TrapCode::OutOfSystemMemory => "did what its machine does not allow",
    }
}

/// Returns the most locals of a function, which each of its calls fills with zeros.
fn most_locals(bytes: &[u8]) -> u64 {
    let payloads = Parser::new(0).parse_all(bytes).map_while(Result::ok);
    let locals = payloads.filter_map(|payload| {
        let Payload::CodeSectionEntry(body) = payload else {
            return None;
        };
        let groups = body.get_locals_reader().ok()?.into_iter();
        Some(groups.flatten().map(|(count, _)| u64::from(count)).sum())
    });
    locals.max().unwrap_or_default()
}

/// Returns the number of bytes of the longest constant expression outside of functions.
#[allow(
    clippy::wildcard_enum_match_arm,
    reason = "other sections have no expressions"
)]
fn longest_constant(bytes: &[u8]) -> usize {
    let length = |expression: ConstExpr<'_>| expression.get_binary_reader().range().len();
    let of_elements = |element: Element<'_>| {
        let offset = match element.kind {
            ElementKind::Active { offset_expr, .. } => length(offset_expr),
            ElementKind::Passive | ElementKind::Declared => 0,
        };
        let items = match element.items {
            ElementItems::Expressions(_, items) => items.into_iter().flatten().map(length).max(),
            ElementItems::Functions(_) => None,
        };
        offset.max(items.unwrap_or_default())
    };
    let payloads = Parser::new(0).parse_all(bytes).map_while(Result::ok);
    let lengths = payloads.filter_map(|payload| match payload {
        Payload::GlobalSection(globals) => globals
            .into_iter()
            .flatten()
            .map(|global| length(global.init_expr))
            .max(),
        Payload::TableSection(tables) => tables
            .into_iter()
            .flatten()
            .map(|table| match table.init {
                TableInit::Expr(expression) => length(expression),
                TableInit::RefNull => 0,
            })
            .max(),
        Payload::ElementSection(elements) => elements.into_iter().flatten().map(of_elements).max(),
        Payload::DataSection(segments) => segments
            .into_iter()
            .flatten()
            .map(|data| match data.kind {
                DataKind::Active { offset_expr, .. } => length(offset_expr),
                DataKind::Passive => 0,
            })
            .max(),
        _ => None,
    });
    lengths.max().unwrap_or_default()
}

/// Returns the configuration of the module of these bytes: it allows what all compilers make,
/// except what differs between machines.
fn config(bytes: &[u8]) -> Config {
    let call = u8::try_from(1 + most_locals(bytes) / LOCALS_PER_FUEL).unwrap_or(u8::MAX);
    let mut config = Config::default();
    config
        .consume_fuel(true)
        .ignore_custom_sections(true)
        .wasm_multi_memory(false)
        .operator_cost(OperatorCost {
            call,
            call_indirect: call,
            return_call: call,
            return_call_indirect: call,
            ..OperatorCost::default()
        })
        // The usual costs, but for bytes that are copied and filled: a core of today manages as
        // many in a nanosecond.
        .fuel_cost(CustomFuelCosts {
            bytes_copied_per_fuel: 8,
            fuel_per_bytes_translated: 7,
            fuel_per_bytes_validated: 2,
        });
    config
        .set_max_recursion_depth(DEEPEST)
        .set_max_stack_height(HIGHEST);
    config
}
