"""Talks to the program that draws synthetic rows (synthesis.cpp)."""
import os
import pathlib
import subprocess

import numpy as np

# In miniature, that of the tests.
PRESET = "tests" if os.environ.get("QUICK") else "native"
PROGRAM = pathlib.Path(__file__).resolve().parents[2] / "build" / PRESET / "experiments/synthesis"


class Driver:
    def __init__(self):
        self.process = subprocess.Popen(
            [PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=1 << 20
        )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.wait()

    def send(self, task, split):
        root = np.sqrt(split.rows.shape[1])
        blocks = [
            np.column_stack([np.clip(rows * root, -1, 1), labels]).astype("<f8")
            for rows, labels in ((split.rows, split.labels), (split.open, split.open_labels))
        ]
        task = "density" if task == "clustering" else task
        sizes = f"{len(blocks[0])} {len(blocks[1])} {split.rows.shape[1]}"
        self.process.stdin.write(f"data {task} {split.classes} {sizes}\n".encode())
        for block in blocks:
            self.process.stdin.write(block.tobytes())

    def draw(self, command):
        """The projection (without rows if it is not released), rows and labels."""
        self.process.stdin.write((command + "\n").encode())
        self.process.stdin.flush()
        word, n, coordinates, columns = self.process.stdout.readline().decode().split()
        n, coordinates, columns = int(n), int(coordinates), int(columns)
        assert word == "rows"

        def numbers(count):
            return np.frombuffer(self.process.stdout.read(8 * count), "<f8")

        projection = numbers(columns * coordinates).reshape(coordinates, columns).T
        rows = numbers(n * coordinates).reshape(n, coordinates)
        return projection, rows, numbers(n)
