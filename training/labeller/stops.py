"""Trains which addresses are loadings and unloadings: stops.py FOLDER. Prints what it would add to the route and take away."""
import json
import os
import sys
import numpy as np
import scipy.sparse as sp
import lightgbm as lgb
from data import signs_of

folder = sys.argv[1]
names = signs_of(folder, "stops-")
number = {name: at for at, name in enumerate(names)}
width = len(names)


def load(name):
    rows, columns, values, info = [], [], [], []
    numbers = [number[sign] for sign in json.load(open(f"{folder}/stops-{name}.signs.json"))]
    for line in open(f"{folder}/stops-{name}.jsonl"):
        one = json.loads(line)
        for at, item in enumerate(one["items"]):
            for place, address in enumerate(item):
                rows.extend([len(info)] * len(address["ids"]))
                columns.extend(numbers[id] for id in address["ids"])
                values.extend(address["values"])
                info.append(dict(file=os.path.basename(one["folder"]) + "/" + one["file"], author=os.path.basename(one["folder"]), item=at, at=place,
                                 count=len(item), now=address["now"], allowed=set(address["allowed"]), text=address["text"]))
    return sp.csr_matrix((np.array(values, np.float32), (rows, columns)), shape=(len(info), width)), info


sets = {name: load(name) for name in ("learn", "gen", "develop")}
params = dict(objective="binary", learning_rate=0.06, num_leaves=12, min_data_in_leaf=12, feature_fraction=0.3, bagging_fraction=0.8, bagging_freq=1,
              lambda_l2=5.0, verbose=-1, num_threads=1, max_bin=31, seed=1)
rounds = 140
learn, info = sets["learn"]
gen, gen_info = sets["gen"]
seen = np.flatnonzero(np.asarray((learn != 0).sum(axis=0)).ravel() >= 12)
authors = sorted({each["author"] for each in info})
author = np.array([each["author"] for each in info])
kinds = ("Loading", "Unloading")
first = {name: np.zeros((len(sets[name][1]), 2)) for name in ("learn", "develop")}
whole = sp.vstack([learn[:, seen], gen[:, seen]]).tocsr()
writer = np.concatenate([author, np.full(len(gen_info), "generated")])
weight = np.concatenate([np.ones(len(info)), np.full(len(gen_info), 0.3)])


def neighbours(p, rows):
    """The chances of an address with those of the addresses before and after it."""
    out = []
    for at, each in enumerate(rows):
        start = at - each["at"]
        some = p[start:start + each["count"]]
        other = np.delete(some, each["at"], axis=0)
        row = [*p[at]]
        for step in (-2, -1, 1, 2):
            row += [*some[each["at"] + step]] if 0 <= each["at"] + step < each["count"] else [-1, -1]
        row += [*(other.max(axis=0) if len(other) else (0, 0)), *some[:each["at"]].sum(axis=0), *some[each["at"] + 1:].sum(axis=0)]
        twins = [p[start + i] for i in range(each["count"]) if i != each["at"] and rows[start + i]["text"] == each["text"]]
        row += [*(np.max(twins, axis=0) if twins else (0, 0)), len(twins), each["at"], each["count"]]
        row += [{"Outside": 0, "Loading": 1, "Unloading": 2, "Customs": 3, "Stop": 4}[each["now"]] if False else 0]
        out.append(row)
    return np.array(out, np.float32)


labels = {name: np.array([[kind in each["allowed"] for kind in kinds] for each in sets[name][1]], np.float32) for name in sets}
y = np.concatenate([labels["learn"], labels["gen"]])
folds = [authors[at::4] for at in range(4)]
models = []
for k in range(2):
    for held in folds + [[]]:
        keep = ~np.isin(writer, held)
        model = lgb.train(params, lgb.Dataset(whole[keep], y[keep, k], weight=weight[keep]), rounds)
        if held:
            rows = np.isin(author, held)
            first["learn"][rows, k] = model.predict(learn[rows][:, seen])
    first["develop"][:, k] = model.predict(sets["develop"][0][:, seen])
    model.save_model(f"{folder}/models/stops-{kinds[k]}.txt")
json.dump([names[at] for at in seen], open(f"{folder}/models/stops.signs.json", "w"))

second = {name: np.zeros_like(first[name]) for name in first}
around = {name: neighbours(first[name], sets[name][1]) for name in first}
small = dict(params, num_leaves=8, min_data_in_leaf=20, feature_fraction=0.8, max_bin=63)
for k in range(2):
    for held in folds + [[]]:
        keep = ~np.isin(author, held)
        model = lgb.train(small, lgb.Dataset(around["learn"][keep], labels["learn"][keep, k]), 80)
        if held:
            rows = np.isin(author, held)
            second["learn"][rows, k] = model.predict(around["learn"][rows])
    second["develop"][:, k] = model.predict(around["develop"])
    model.save_model(f"{folder}/models/stops-second-{kinds[k]}.txt")

for name in ("learn", "develop"):
    rows = sets[name][1]
    for stage, p in (("first", first[name]), ("second", second[name])):
        y = labels[name]
        print(name, stage, len(rows), "addresses; now right", sum(each["now"] in each["allowed"] for each in rows),
              "model right", sum((("Outside", *kinds)[np.argmax([1 - max(q), *q])]) in each["allowed"] for each, q in zip(rows, p)))
        line = []
        for limit in (0.5, 0.6, 0.7, 0.8, 0.9):
            right = wrong = 0
            for at, each in enumerate(rows):
                k = int(np.argmax(p[at]))
                if each["now"] != "Outside" or p[at][k] < limit:
                    continue
                start = at - each["at"]
                if any(rows[start + i]["text"] == each["text"] and rows[start + i]["now"] == kinds[k] for i in range(each["count"])):
                    continue
                right += kinds[k] in each["allowed"]
                wrong += kinds[k] not in each["allowed"]
            line.append(f"{limit}: +{right}/{wrong}")
        print("   added", "  ".join(line))
        line = []
        for limit in (0.05, 0.1, 0.2, 0.3):
            good = sum(each["now"] in kinds and max(p[at]) < limit and not (each["allowed"] & set(kinds)) for at, each in enumerate(rows))
            bad = sum(each["now"] in kinds and max(p[at]) < limit and bool(each["allowed"] & set(kinds)) for at, each in enumerate(rows))
            line.append(f"{limit}: -{good}/{bad}")
        print("   removed", "  ".join(line))
        line = []
        for limit in (0.5, 0.7, 0.8, 0.9):
            good = bad = 0
            for at, each in enumerate(rows):
                k = int(np.argmax(p[at]))
                if each["now"] in kinds and each["now"] != kinds[k] and p[at][k] >= limit and p[at][1 - k] < 1 - limit:
                    good += each["now"] not in each["allowed"] and kinds[k] in each["allowed"]
                    bad += each["now"] in each["allowed"] and kinds[k] not in each["allowed"]
            line.append(f"{limit}: ~{good}/{bad}")
        print("   turned", "  ".join(line))
