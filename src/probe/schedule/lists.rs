//! Many queues in one vector: first in, first out, without an allocation for each queue.
//!
//! Most hosts have one link. A `VecDeque` for each would take more memory than the rest of a host's
//! state.

/// The index of no node. So many nodes would take 32 GB.
const NONE: u32 = u32::MAX;

/// One queue, whose nodes are in a [`Lists`].
#[derive(Clone, Copy, Debug)]
pub(super) struct List {
    head: u32,
    tail: u32,
    len: u32,
}

impl List {
    pub(super) const EMPTY: Self = Self { head: NONE, tail: NONE, len: 0 };

    pub(super) const fn len(&self) -> u32 {
        self.len
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.len == 0
    }
}

/// The nodes of any number of queues.
#[derive(Debug)]
pub(super) struct Lists<T> {
    nodes: Vec<Node<T>>,
    /// The first unused node; unused nodes are linked like a queue.
    free: u32,
}

#[derive(Clone, Copy, Debug)]
struct Node<T> {
    item: T,
    next: u32,
}

impl<T: Copy> Lists<T> {
    pub(super) const fn new() -> Self {
        Self { nodes: Vec::new(), free: NONE }
    }

    /// Appends `item` to `list`.
    pub(super) fn push(&mut self, list: &mut List, item: T) {
        let at = self.place(Node { item, next: NONE });
        match self.node_mut(list.tail) {
            Some(last) => last.next = at,
            None => list.head = at,
        }
        list.tail = at;
        list.len += 1;
    }

    /// Puts `item` before the others of `list`.
    pub(super) fn push_first(&mut self, list: &mut List, item: T) {
        let at = self.place(Node { item, next: list.head });
        list.head = at;
        if list.is_empty() {
            list.tail = at;
        }
        list.len += 1;
    }

    /// Removes and returns the first item of `list`.
    pub(super) fn pop(&mut self, list: &mut List) -> Option<T> {
        let at = list.head;
        let free = self.free;
        let node = self.node_mut(at)?;
        let Node { item, next } = *node;
        node.next = free;
        self.free = at;
        list.head = next;
        list.len -= 1;
        if next == NONE {
            list.tail = NONE;
        }
        Some(item)
    }

    pub(super) fn first(&self, list: &List) -> Option<T> {
        self.node(list.head).map(|node| node.item)
    }

    fn place(&mut self, node: Node<T>) -> u32 {
        let at = self.free;
        if let Some(unused) = self.node_mut(at) {
            let next = unused.next;
            *unused = node;
            self.free = next;
            return at;
        }
        self.nodes.push(node);
        u32::try_from(self.nodes.len() - 1).unwrap_or(NONE)
    }

    fn node(&self, at: u32) -> Option<&Node<T>> {
        self.nodes.get(at as usize)
    }

    fn node_mut(&mut self, at: u32) -> Option<&mut Node<T>> {
        self.nodes.get_mut(at as usize)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::VecDeque;

    use super::{List, Lists};

    #[test]
    fn each_queue_keeps_its_order_and_nodes_are_used_again() {
        let mut lists = Lists::new();
        let mut queues = [(List::EMPTY, VecDeque::new()), (List::EMPTY, VecDeque::new())];
        let mut seed = 1_u64;
        for number in 0..10_000_u32 {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let (list, slow) = &mut queues[usize::from(seed >> 63 == 1)];
            // Pushes while the queue is short, so that it is emptied now and then.
            if (seed >> 40) % 8 >= u64::from(list.len()) {
                if number % 3 == 0 {
                    lists.push_first(list, number);
                    slow.push_front(number);
                } else {
                    lists.push(list, number);
                    slow.push_back(number);
                }
            } else {
                assert_eq!(lists.pop(list), slow.pop_front());
            }
            assert_eq!(list.len() as usize, slow.len());
            assert_eq!(lists.first(list), slow.front().copied());
        }
        assert!(lists.nodes.len() <= 20, "{} nodes", lists.nodes.len());
    }

    #[test]
    fn a_queued_link_is_small() {
        assert_eq!(size_of::<super::Node<u32>>(), 8);
    }
}
