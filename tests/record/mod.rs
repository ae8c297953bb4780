//! Records of contests: faults, full disks, merging.

mod disk_full;
mod faults;
mod kills;
mod merge;
mod outputs;
