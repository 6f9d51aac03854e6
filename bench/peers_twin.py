#!/usr/bin/env python3
"""torch on the network of PrivX in one step, as lib/audit/reconstruct/twin.c has it: 16 windows of 20 nodes, one thread.

usage: peers_twin.py BUDGET

Prints the least processor seconds of a step (forward, backward, AdamW) and the last loss.
"""
import sys
import time

import torch

WINDOW, SIGNAL, HIDDEN, BATCH, BLOCKS, STEPS = 20, 32, 32, 16, 2, 20


class Twin(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.inputs = torch.nn.Linear(SIGNAL, HIDDEN)
        self.time = torch.nn.Linear(2, HIDDEN, bias=False)
        self.maps = torch.nn.ModuleList(torch.nn.Linear(HIDDEN, 3 * HIDDEN) for _ in range(BLOCKS))
        self.norms = torch.nn.ModuleList(torch.nn.LayerNorm(HIDDEN) for _ in range(BLOCKS))
        self.pair = torch.nn.Linear(2 * HIDDEN + 2, HIDDEN)
        self.out = torch.nn.Linear(HIDDEN, 1)
        self.ends = torch.triu_indices(WINDOW, WINDOW, 1)
        self.now = torch.tensor([1.0, 0.0])

    def forward(self, signal):
        state = self.inputs(signal) + self.time(self.now)
        for maps, norm in zip(self.maps, self.norms):
            query, key, value = maps(state).chunk(3, -1)
            chances = torch.softmax(query @ key.transpose(1, 2) / HIDDEN ** .5, -1)
            state = norm(state + torch.relu(chances @ value))
        first, second = state[:, self.ends[0]], state[:, self.ends[1]]
        unit = torch.nn.functional.normalize(signal, dim=-1)
        cosine = (unit @ unit.transpose(1, 2))[:, self.ends[0], self.ends[1]].unsqueeze(-1)
        rows = torch.cat([first * second, (first - second).abs(), cosine, torch.zeros_like(cosine)], -1)
        return self.out(torch.relu(self.pair(rows))).squeeze(-1)


def main():
    torch.set_num_threads(1)
    torch.manual_seed(1)
    model = Twin()
    optimiser = torch.optim.AdamW(model.parameters(), 2e-3, weight_decay=1e-4)
    signals = torch.randn(40, WINDOW, SIGNAL)
    truth = (torch.rand(40, WINDOW * (WINDOW - 1) // 2) < .15).float()
    seconds, start = [], time.perf_counter()
    while len(seconds) < 4 or time.perf_counter() - start < float(sys.argv[1]):
        begin = time.process_time()
        for _ in range(STEPS):
            chosen = torch.randint(0, 40, (BATCH,))
            optimiser.zero_grad()
            loss = torch.nn.functional.binary_cross_entropy_with_logits(model(signals[chosen]), truth[chosen])
            loss.backward()
            optimiser.step()
        seconds.append((time.process_time() - begin) / STEPS)
    print(f"{min(seconds):.9g} {loss.item():.6g}")


if __name__ == "__main__":
    main()
