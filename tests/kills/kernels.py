"""A kernel, killed while its widget stores answers: each answer that the page was told of is there, and none twice."""

from __future__ import annotations

import json
import os
import signal
import time
from pathlib import Path
from queue import Empty

import numpy as np
import pytest
from jupyter_client.manager import start_new_kernel
from kills.harness import chance
from kills.sitting import begin, reply

from cogkit.study.trials import Trials

CELL = """import json
from kills.sitting import begin
widget = begin({!r}, {})
print(json.dumps([widget.model_id, widget.scene]))"""


def key(scene: dict) -> str:
    """Return all of a scene but what depends on how one came there."""
    return json.dumps({name: scene[name] for name in scene.keys() - {"draw", "status", "spoken"}}, sort_keys=True)


def rows(home: Path) -> list[dict]:
    """Return what is stored but the names of the person and of the sitting, and the time of day."""
    frame = Trials(home / "trials.sqlite").frame()
    assert frame["sitting"].nunique() == frame["who"].nunique() <= 1
    return json.loads(frame.drop(columns=["sitting", "at", "who"]).replace({np.nan: None}).to_json(orient="records"))


def sit(name: str, seed: int, home: Path) -> tuple[dict[str, tuple[dict | None, int]], list[dict]]:
    """Sit to the end in this process; return the reply to each scene, the rows stored before it, and all rows."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("COGKIT_HOME", str(home))
        widget, script = begin(name, seed), {}
        while (message := reply(name, widget)) is not None:
            script[key(widget.scene)] = message, len(Trials().frame())
            widget._handle_custom_msg(message, [])
        widget.close()
    return script | {key(widget.scene): (None, len(rows(home)))}, rows(home)


def sit_in_kernel(name: str, seed: int, home: Path, script: dict, messages: float) -> tuple[bool, int]:
    """Sit as a page does, and kill the kernel at a random moment after so many messages.

    Return whether the sitting ended before, and how many rows the page knows to be stored.
    """
    path = os.pathsep.join([str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
    env = os.environ | {"COGKIT_HOME": str(home), "PYTHONPATH": path}
    manager, client = start_new_kernel(kernel_name="python3", env=env)
    try:
        outputs = []
        done = client.execute_interactive(
            CELL.format(name, seed), output_hook=outputs.append, timeout=120, allow_stdin=False
        )
        streams = [message["content"] for message in outputs if message["msg_type"] == "stream"]
        assert done["content"]["status"] == "ok", done
        comm, scene = json.loads("".join(stream["text"] for stream in streams if stream["name"] == "stdout"))
        longest = 0.05  # seconds from a message to the scene after it

        def listen(until: float) -> dict | None:
            """Return the next scene that the kernel sends, or None if none comes in time."""
            while (left := until - time.monotonic()) > 0:
                try:
                    message = client.get_iopub_msg(timeout=left)
                except Empty:
                    return None
                content = message["content"]
                if message["msg_type"] == "comm_msg" and content["comm_id"] == comm:
                    if "scene" in content["data"].get("state", {}):
                        return content["data"]["state"]["scene"]
            return None

        while (answer := script[key(scene)][0]) is not None:
            content = {"comm_id": comm, "data": {"method": "custom", "content": answer}}
            sent = time.monotonic()
            client.shell_channel.send(client.session.msg("comm_msg", content))
            messages -= 1
            if messages < 0:
                scene = listen(sent + chance.uniform(0, 1.5 * longest)) or scene
                manager.signal_kernel(signal.SIGKILL)
                while (last := listen(time.monotonic() + 0.2)) is not None:  # what was on its way to the page
                    scene = last
                return False, script[key(scene)][1]
            scene = listen(sent + 60)
            assert scene is not None, f"no scene after {answer}"
            longest = max(longest / 2, time.monotonic() - sent)
        return True, script[key(scene)][1]
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def attacked(name: str, kills: int, folder: Path) -> tuple[int, list[str]]:
    """Kill so many kernels in which somebody sits."""
    count, lost, seed = 0, [], 0
    while count < kills:
        seed, is_over = seed + 1, False
        home = folder / str(seed)
        script, expected = sit(name, seed, folder / f"undisturbed {seed}")
        while not is_over:
            messages = chance.randrange(1, len(script) // 2) if count < kills else float("inf")
            is_over, acks = sit_in_kernel(name, seed, home, script, messages)
            actual = rows(home)
            count += not is_over
            is_over = is_over or len(actual) == len(expected)  # killed after its last answer: the next would be another
            if actual != expected[: len(actual)] or not acks <= len(actual) <= acks + 1:
                lost.append(f"{home}: {acks} rows told, {len(actual)} found")
        if actual != expected:
            lost.append(f"{home}: {len(actual)} rows at the end, not {len(expected)}")
    return count, lost
