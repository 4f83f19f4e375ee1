"""Loads what dump.ts wrote as sparse matrices."""
import json
import os
import pickle
import numpy as np
import scipy.sparse as sp


class Set:
    """Pairs of candidate and owner, with the fields that they suit and are right for."""


def signs_of(folder):
    """The names of the signs of all sets; each set numbers its own."""
    known = {}
    for name in ("learn", "gen", "develop"):
        with open(f"{folder}/{name}.signs.json") as file:
            for sign in json.load(file):
                known.setdefault(sign, len(known))
    return list(known)


def load(path, names):
    cache = path + ".pickle"
    if os.path.exists(cache) and os.path.getmtime(cache) > os.path.getmtime(path + ".jsonl"):
        with open(cache, "rb") as file:
            return pickle.load(file)
    width = len(names)
    number = {name: at for at, name in enumerate(names)}
    with open(path + ".signs.json") as file:
        numbers = [number[name] for name in json.load(file)]
    own = ([], [], [0])
    pair = ([], [], [0])
    columns = {name: [] for name in ("candidate", "group", "suits", "right", "item")}
    groups, items, candidates = [], [], []
    with open(path + ".jsonl") as file:
        for line in file:
            one = json.loads(line)
            for at, item in enumerate(one["items"]):
                if "groups" not in item:
                    continue
                first, first_group = len(candidates), len(groups)
                author = os.path.basename(one["folder"])
                items.append(dict(file=f"{author}/{one['file']}", author=author, at=at, data=item["data"]))
                for candidate in item["candidates"]:
                    *shown, ids, values = candidate
                    candidates.append(shown)
                    own[0].extend(numbers[id] for id in ids)
                    own[1].extend(values)
                    own[2].append(len(own[0]))
                for group in item["groups"]:
                    groups.append(dict(group, item=len(items) - 1))
                for candidate, group, ids, values, suits, right in item["pairs"]:
                    pair[0].extend(numbers[id] for id in ids)
                    pair[1].extend(values)
                    pair[2].append(len(pair[0]))
                    columns["candidate"].append(first + candidate)
                    columns["group"].append(first_group + group)
                    columns["suits"].append(suits)
                    columns["right"].append(right)
                    columns["item"].append(len(items) - 1)
    out = Set()
    matrix = lambda rows: sp.csr_matrix(
        (np.array(rows[1], np.float32), np.array(rows[0], np.int32), np.array(rows[2], np.int64)), shape=(len(rows[2]) - 1, width)
    )
    out.own, out.pair = matrix(own), matrix(pair)
    out.candidate, out.group, out.item = (np.array(columns[name], np.int32) for name in ("candidate", "group", "item"))
    counts = np.array([len(suits) for suits in columns["suits"]])
    at, which = np.repeat(np.arange(len(counts)), counts), np.array([each for suits in columns["suits"] for each in suits], np.int16)
    right = np.array([each in good for suits, good in zip(columns["suits"], columns["right"]) for each in suits], np.float32)
    out.rows = {each: (at[which == each], right[which == each]) for each in np.unique(which)}
    out.groups, out.items, out.candidates = groups, items, candidates
    with open(cache, "wb") as file:
        pickle.dump(out, file)
    return out


stop = "day lastDay startHour endHour reference name street place weight pallets quantity ldm volume goods warmth size".split()
order = "orderNumber referenceNumber orderDate price paymentDays invoiceEmail distance cargoValue truck trailer driver driverPhone".split()
party = "name street place vatCode contact phone email".split()
fields = [f"stop {name}" for name in stop] + [f"order {name}" for name in order]
fields += [f"{scope} {name}" for scope in ("customer", "carrier") for name in party]


def rows_of(data, field):
    """Rows of the pairs that suit a field, whether each is right, and whether its group has a partner in the truth."""
    rows, right = data.rows.get(fields.index(field), (np.zeros(0, np.int64), np.zeros(0, np.float32)))
    paired = np.array([data.groups[data.group[row]]["paired"] for row in rows], bool)
    return rows, right, paired
