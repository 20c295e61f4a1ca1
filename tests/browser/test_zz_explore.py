import json, os, time
import pytest
from cogkit.notebooks import copy_to

@pytest.mark.parametrize("name", ["00_start_here","01_play_tiles","04_people_and_agents"])
def test_explore(lab, server, name):
    copy_to(server.root / "reader")
    t=time.time(); lab.visit(f"reader/{name}.ipynb"); print("open", time.time()-t)
    t=time.time(); ok=lab.run_all(); print("run", time.time()-t, ok, lab.errors())
    page=lab.page
    time.sleep(2)
    out=page.evaluate("""() => [...document.querySelectorAll('.jp-Cell')].map((c,i)=>[i,[...c.querySelectorAll('.jp-OutputArea-output')].map(o=>[o.dataset.mimeType, o.querySelector('.main-svg')? JSON.stringify(o.querySelector('.main-svg').getBoundingClientRect()):'', !!o.querySelector('.cogkit-board'), o.scrollWidth, o.clientWidth])])""")
    for o in out: print(o)
    print("sideways", lab.sideways(), lab.problems)
    i=0
    for loc in page.locator(".jp-OutputArea-output").all():
        i+=1
        try: loc.screenshot(path=f"/tmp/nbshots/{name[:2]}_{i:02d}.png", timeout=5000)
        except Exception as e: print(i, str(e)[:100])
    page.screenshot(path=f"/tmp/nbshots/{name[:2]}_page.png")
