#![allow(clippy::all, clippy::pedantic, clippy::print_stdout)]
use battleship::twist::Admiral;
use battleship_bots::*;
use std::time::*;
struct Timed(Box<dyn Admiral>, Duration, Duration, u32);
impl Admiral for Timed {
    fn name(&self) -> &str {
        self.0.name()
    }
    fn place_units(&mut self) -> Option<Vec<battleship::Placement>> {
        self.0.place_units()
    }
    fn recommend_order(&mut self) -> battleship::protocol::Order {
        let t = Instant::now();
        let o = self.0.recommend_order();
        let e = t.elapsed();
        self.1 += e;
        self.2 = self.2.max(e);
        self.3 += 1;
        o
    }
    fn record_result(
        &mut self,
        o: battleship::protocol::Order,
        r: &battleship::protocol::OrderResult,
    ) {
        if let battleship::protocol::OrderResult::Refused(w) = r {
            panic!("{} refused {w}", self.name())
        }
        let t = Instant::now();
        self.0.record_result(o, r);
        let e = t.elapsed();
        self.1 += e;
        self.2 = self.2.max(e);
    }
    fn record_shot_by_opponent(&mut self, p: battleship::Point) {
        self.0.record_shot_by_opponent(p)
    }
}
fn mk(k: &str, s: u64) -> Box<dyn Admiral> {
    match k {
        "g" => Box::new(GoodAdmiral::new("g", s)),
        "m" => Box::new(MediocreAdmiral::new("m", s)),
        _ => Box::new(AwfulAdmiral::new("a")),
    }
}
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let n: u64 = a[3].parse().unwrap();
    let base: u64 = a.get(4).map_or(0, |s| s.parse().unwrap());
    let (mut w, mut l, mut d) = (0, 0, 0);
    let mut t = Duration::ZERO;
    let mut mx = Duration::ZERO;
    let mut turns = 0;
    let mut wt = vec![];
    for g in 0..n {
        let seed = base + g / 2;
        let f = (g % 2) as usize;
        let mut x = Timed(mk(&a[1], seed * 2 + 1), Duration::ZERO, Duration::ZERO, 0);
        let mut y = Timed(mk(&a[2], seed * 2 + 2), Duration::ZERO, Duration::ZERO, 0);
        let r = play_twist([&mut x, &mut y], f, 100);
        match r {
            Some(0) => {
                w += 1;
                wt.push(x.3)
            }
            Some(_) => l += 1,
            None => {
                d += 1;
            }
        }
        if a.len() > 5 {
            println!("seed {seed} f {f}: {r:?} {}", x.3);
        }
        t += x.1;
        mx = mx.max(x.2);
        turns += x.3;
    }
    wt.sort();
    println!(
        "{w} wins {l} losses {d} draws of {n}; turns of wins median {:?} p90 {:?}; order mean {:?} max {mx:?}",
        wt.get(wt.len() / 2),
        wt.get(wt.len() * 9 / 10),
        t / turns.max(1)
    );
}
