//! A bot and all that it starts, in a job object: none of them can leave it, and all end when it is
//! closed, even if the referee is killed.

#![allow(unsafe_code, reason = "std has no job objects")]

use std::io;
use std::mem::{size_of, zeroed};
use std::os::windows::io::{AsRawHandle, FromRawHandle, OwnedHandle};
use std::os::windows::process::CommandExt;
use std::process::{Child, Command};
use std::ptr;
use std::sync::OnceLock;
use std::time::Duration;

use windows_sys::Win32::Foundation::{HANDLE, INVALID_HANDLE_VALUE};
use windows_sys::Win32::System::Diagnostics::ToolHelp::{
    CreateToolhelp32Snapshot, TH32CS_SNAPTHREAD, THREADENTRY32, Thread32First, Thread32Next,
};
use windows_sys::Win32::System::JobObjects::{
    AssignProcessToJobObject, CreateJobObjectW, JOB_OBJECT_LIMIT_ACTIVE_PROCESS,
    JOB_OBJECT_LIMIT_BREAKAWAY_OK, JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION,
    JOB_OBJECT_LIMIT_JOB_MEMORY, JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE,
    JOBOBJECT_BASIC_ACCOUNTING_INFORMATION, JOBOBJECT_EXTENDED_LIMIT_INFORMATION,
    JobObjectBasicAccountingInformation, JobObjectExtendedLimitInformation,
    QueryInformationJobObject, SetInformationJobObject, TerminateJobObject,
};
use windows_sys::Win32::System::Threading::{
    CREATE_NEW_PROCESS_GROUP, CREATE_SUSPENDED, GetCurrentProcess, OpenThread, ResumeThread,
    THREAD_SUSPEND_RESUME,
};

/// The number of processes that a bot may have at a time. An interpreter and its launcher are two;
/// what starts hundreds would take the machine down.
const MOST_PROCESSES: u32 = 64;

/// Number of bytes of memory that all processes of a bot may have together: more than any runtime
/// asks for by itself, and less than brings a usual machine to a standstill.
const MOST_MEMORY: usize = 4 << 30;

/// Number of units of the system's times (100 ns) in a second.
const UNITS_PER_SECOND: u64 = 10_000_000;

/// The job of a bot.
#[derive(Debug)]
pub(crate) struct Group(OwnedHandle);

impl Group {
    /// Has `command` start its program out of reach of Ctrl-C, and stopped, until [`Group::of`]
    /// lets it go: what it started before would be outside of the job.
    pub(crate) fn prepare(command: &mut Command) {
        ends_with_this_process();
        command.creation_flags(CREATE_NEW_PROCESS_GROUP | CREATE_SUSPENDED);
    }

    /// Puts a child whose start was prepared into a job of its own, and lets it go.
    ///
    /// # Errors
    /// If the system refuses; the child stays stopped then.
    pub(crate) fn of(child: &Child) -> io::Result<Group> {
        let group = Group(job()?);
        group.limit(
            JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
                | JOB_OBJECT_LIMIT_ACTIVE_PROCESS
                | JOB_OBJECT_LIMIT_JOB_MEMORY
                // No window that says that a bot has crashed, and waits for someone to press a key.
                | JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION,
        )?;
        let job = group.handle();
        let process = child.as_raw_handle().cast();
        // SAFETY: both handles are open.
        succeeded(unsafe { AssignProcessToJobObject(job, process) })?;
        resume(child.id())?;
        Ok(group)
    }

    fn limit(&self, flags: u32) -> io::Result<()> {
        // SAFETY: all zeros are a value of this type: numbers, and no limit by default. It is
        // passed with its own size.
        unsafe {
            let mut limits: JOBOBJECT_EXTENDED_LIMIT_INFORMATION = zeroed();
            limits.BasicLimitInformation.LimitFlags = flags;
            limits.BasicLimitInformation.ActiveProcessLimit = MOST_PROCESSES;
            limits.JobMemoryLimit = MOST_MEMORY;
            succeeded(SetInformationJobObject(
                self.handle(),
                JobObjectExtendedLimitInformation,
                (&raw const limits).cast(),
                size(&limits),
            ))
        }
    }

    /// Kills all that are in it.
    pub(crate) fn kill(&self) {
        // SAFETY: the handle is open. It fails only if nothing is left, which is the aim.
        unsafe {
            TerminateJobObject(self.handle(), 1);
        }
    }

    /// Returns the processor time of all that are or were in it; `None` if the system counts none.
    pub(crate) fn cpu_time(&self) -> Option<Duration> {
        // SAFETY: all zeros are a value of this type, which has numbers only; it is passed with its
        // own size.
        let used = unsafe {
            let mut used: JOBOBJECT_BASIC_ACCOUNTING_INFORMATION = zeroed();
            succeeded(QueryInformationJobObject(
                self.handle(),
                JobObjectBasicAccountingInformation,
                (&raw mut used).cast(),
                size(&used),
                ptr::null_mut(),
            ))
            .ok()?;
            used
        };
        // Wine, for one, does not count, and says 0.
        let units = u64::try_from(used.TotalUserTime + used.TotalKernelTime).ok();
        let units = units.filter(|units| *units > 0)?;
        let seconds = units / UNITS_PER_SECOND;
        let rest = units % UNITS_PER_SECOND;
        Some(Duration::from_secs(seconds) + Duration::from_nanos(rest * 100))
    }

    fn handle(&self) -> HANDLE {
        self.0.as_raw_handle().cast()
    }
}

/// Puts this process, and so all that it starts, into a job that ends with it: if it is killed
/// before a bot is in a job of its own, that one goes too. A program that is meant to stay can
/// leave this job. Where the system refuses, as one that is old does in a process that is in a job
/// already, everything continues as without.
fn ends_with_this_process() {
    static OUTER: OnceLock<Option<Group>> = OnceLock::new();
    OUTER.get_or_init(|| {
        let group = Group(job().ok()?);
        group
            .limit(JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | JOB_OBJECT_LIMIT_BREAKAWAY_OK)
            .ok()?;
        // SAFETY: both handles are open; that of the own process needs not be closed.
        succeeded(unsafe { AssignProcessToJobObject(group.handle(), GetCurrentProcess()) }).ok()?;
        Some(group)
    });
}

fn job() -> io::Result<OwnedHandle> {
    // SAFETY: neither security nor a name is given, which is allowed. What is returned is new, and
    // owned here alone.
    unsafe {
        let job = CreateJobObjectW(ptr::null(), ptr::null());
        if job.is_null() {
            return Err(io::Error::last_os_error());
        }
        Ok(OwnedHandle::from_raw_handle(job.cast()))
    }
}

/// Lets the threads of a process continue that was started stopped: its only one.
fn resume(process: u32) -> io::Result<()> {
    // SAFETY: the snapshot and each thread are owned as soon as they are open; the entry says its
    // own size, as Thread32First asks for.
    unsafe {
        let snapshot = CreateToolhelp32Snapshot(TH32CS_SNAPTHREAD, 0);
        if snapshot == INVALID_HANDLE_VALUE {
            return Err(io::Error::last_os_error());
        }
        let snapshot = OwnedHandle::from_raw_handle(snapshot.cast());
        let mut entry: THREADENTRY32 = zeroed();
        entry.dwSize = size(&entry);
        let mut more = Thread32First(snapshot.as_raw_handle().cast(), &raw mut entry);
        while more != 0 {
            if entry.th32OwnerProcessID == process {
                let thread = OpenThread(THREAD_SUSPEND_RESUME, 0, entry.th32ThreadID);
                if thread.is_null() {
                    return Err(io::Error::last_os_error());
                }
                let thread = OwnedHandle::from_raw_handle(thread.cast());
                if ResumeThread(thread.as_raw_handle().cast()) == u32::MAX {
                    return Err(io::Error::last_os_error());
                }
                return Ok(());
            }
            more = Thread32Next(snapshot.as_raw_handle().cast(), &raw mut entry);
        }
    }
    Err(io::Error::other(
        "the thread of a program that was started is not to be found",
    ))
}

fn succeeded(answer: i32) -> io::Result<()> {
    if answer == 0 {
        Err(io::Error::last_os_error())
    } else {
        Ok(())
    }
}

/// Returns the size of a structure, as the system's calls take it.
#[allow(
    clippy::cast_possible_truncation,
    reason = "a structure of some hundred bytes"
)]
fn size<T>(_of: &T) -> u32 {
    size_of::<T>() as u32
}
