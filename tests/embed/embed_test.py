"""The Python module over the C interface: its example runs, its plans are sound, its errors say what is wrong."""

import io
import unittest
from contextlib import redirect_stdout

import example
import stowage


class PlannerTest(unittest.TestCase):
    def test_a_plan_reuses_memory_and_never_collides(self):
        buffers = [stowage.Buffer(0, 3, 64), stowage.Buffer(1, 4, 32), stowage.Buffer(3, 5, 64), stowage.Buffer(2, 5, 16)]
        plan = stowage.plan(buffers)
        self.assertEqual((plan.makespan, plan.load, plan.status, plan.fits), (112, 112, "optimal", True))
        for i, (a, low) in enumerate(zip(buffers, plan.offsets)):
            for b, other in list(zip(buffers, plan.offsets))[:i]:
                if a.lower < b.upper and b.lower < a.upper:
                    self.assertTrue(low + a.size <= other or other + b.size <= low)

    def test_a_capacity_that_is_missed_is_no_error(self):
        plan = stowage.plan([(0, 2, 64), (1, 3, 64)], capacity=100)
        self.assertFalse(plan.fits)
        self.assertEqual(plan.makespan, 128)

    def test_wrong_buffers_are_named(self):
        with self.assertRaisesRegex(stowage.StowageError, "buffer 1"):
            stowage.plan([(0, 2, 64), (5, 3, 64)])
        with self.assertRaises(stowage.StowageError):
            stowage.plan_arrays([0], [1, 2], [3])

    def test_the_example_runs(self):
        words = io.StringIO()
        with redirect_stdout(words):
            example.main()
        self.assertIn("conv1", words.getvalue())

    def test_the_version_is_known(self):
        self.assertRegex(stowage.version(), r"^\d+\.\d+\.\d+$")


if __name__ == "__main__":
    unittest.main()
