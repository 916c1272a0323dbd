"""Plans the buffers of a small network and prints where each one lies: python3 example.py"""

import stowage

NETWORK = {
    "image": stowage.Buffer(0, 2, 3072, 64),
    "conv1": stowage.Buffer(1, 4, 8192, 64),
    "pool1": stowage.Buffer(3, 6, 2048, 64),
    "conv2": stowage.Buffer(5, 8, 4096, 64),
    "scores": stowage.Buffer(7, 9, 40, 64),
}


def main() -> None:
    plan = stowage.plan(list(NETWORK.values()))
    without_reuse = sum(buffer.size for buffer in NETWORK.values())
    print(f"makespan {plan.makespan} B ({plan.status}), without reuse {without_reuse} B")
    for (name, buffer), offset in zip(NETWORK.items(), plan.offsets):
        print(f"  {name:8} steps [{buffer.lower}, {buffer.upper})  bytes [{offset}, {offset + buffer.size})")


if __name__ == "__main__":
    main()
