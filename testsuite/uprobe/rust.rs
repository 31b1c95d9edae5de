// SPDX-License-Identifier: GPL-2.0-or-later
// A Rust program with a method, a method of a trait, and a function with two instances.
mod shape {
    pub struct Rect { pub width: i64, pub height: i64 }
    pub trait Area { fn area(&self, scale: i64) -> i64; }
    impl Area for Rect {
        #[inline(never)]
        fn area(&self, scale: i64) -> i64 { self.width * self.height * scale }
    }
    impl Rect {
        #[inline(never)]
        pub fn grow(&mut self, by: i64, name: &str) -> i64 { self.width += by; self.width + name.len() as i64 }
    }
    #[inline(never)]
    pub fn largest<T: PartialOrd + Copy>(a: T, b: T) -> T { if a > b { a } else { b } }
}
use shape::Area;
fn main() {
    let mut sum = 0;
    for i in 1..5 {
        let mut r = shape::Rect { width: i, height: 2 };
        sum += r.area(3) + r.grow(i, "by name");
        sum += shape::largest(i, 3) + shape::largest(i as i32, 2) as i64;
    }
    println!("{}", sum);
}
