"""Writes the forests of train.py for the engine: export.py FOLDER OUT.json."""
import base64
import json
import os
import sys
import numpy as np
import lightgbm as lgb


def packed(path, numbers):
    """A forest as lists of nodes: tests before their branches, the left branch first. `numbers` are those of its signs."""
    tests, values, sizes = [], [], []

    def put(node):
        at = len(values)
        if "leaf_value" in node:
            tests.append((-1, 0))
            values.append(node["leaf_value"])
            return
        tests.append([node["split_feature"], 0])
        threshold = np.float32(node["threshold"])
        values.append(threshold)
        put(node["left_child"])
        tests[at][1] = len(values) - at
        put(node["right_child"])

    for tree in lgb.Booster(model_file=path).dump_model()["tree_info"]:
        before = len(values)
        put(tree["tree_structure"])
        sizes.append(len(values) - before)
    tests = [(numbers(sign) if sign >= 0 else sign, away) for sign, away in tests]
    text = lambda array, kind: base64.b64encode(np.array(array, kind).tobytes()).decode()
    return dict(tests=text(np.ravel(tests), np.int16), values=text(values, np.float32), sizes=text(sizes, np.int16))


folder, out = sys.argv[1:3]
known = {}
models = {}
for name in sorted(os.listdir(f"{folder}/models")):
    if not name.endswith(".signs.json"):
        continue
    field = name[: -len(".signs.json")]
    signs = json.load(open(f"{folder}/models/{name}"))
    models[field.replace("-", " ", 1)] = packed(f"{folder}/models/{field}.txt", lambda sign: known.setdefault(signs[sign], len(known)))
choice = packed(f"{folder}/models/choose.txt", lambda sign: sign)
begin, end = (json.load(open(f"{folder}/models/window-{k}.json")) for k in range(2))
limits, replacing = (json.load(open(f"{folder}/{name}.json")) for name in ("limits", "replacing"))
model = dict(signs=list(known), fields=models, choice=choice, begin=begin, end=end, limits=limits, replacing=replacing)
with open(out, "w") as file:
    json.dump(model, file, separators=(",", ":"))
print(len(models), "fields,", len(known), "signs,", os.path.getsize(out), "bytes")
