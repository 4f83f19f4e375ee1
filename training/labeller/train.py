"""Trains a forest for each field: train.py FOLDER. Writes predictions on learn (by other authors only) and on develop."""
import json
import pickle
import sys
import time
import numpy as np
import scipy.sparse as sp
import lightgbm as lgb
from data import fields, load, rows_of, signs_of

folder = sys.argv[1]
only = sys.argv[2].split(",") if len(sys.argv) > 2 and sys.argv[2] else fields
names = signs_of(folder)
width = len(names)
sets = {name: load(f"{folder}/{name}", names) for name in ("learn", "gen", "develop")}
params = dict(objective="binary", learning_rate=0.1, num_leaves=14, min_data_in_leaf=15, feature_fraction=0.35, bagging_fraction=0.8,
              bagging_freq=1, lambda_l2=5.0, verbose=-1, num_threads=1, max_bin=31, min_gain_to_split=0.01, seed=1)
rounds = 100
authors = sorted({item["author"] for item in sets["learn"].items})
folds = [authors[at::4] for at in range(4)]
random = np.random.default_rng(1)
negatives = 8


def matrix(data, rows):
    return (data.own[data.candidate[rows]] + data.pair[rows]).tocsr()


def sampled(y, keep):
    """Rows to train with: all right ones, and some of the others, which weigh more in turn."""
    chance = min(1.0, negatives * max(40, (y * keep).sum()) / max(1, ((1 - y) * keep).sum()))
    chosen = keep & ((y > 0) | (random.random(len(y)) < chance))
    return np.flatnonzero(chosen), np.where(y > 0, 1.0, 1 / chance)


out = {name: {} for name in ("learn", "develop")}
for field in only:
    began = time.time()
    parts = {name: rows_of(data, field) for name, data in sets.items()}
    rows, y, paired = parts["learn"]
    g_rows, g_y, g_paired = parts["gen"]
    g_usable, g_weights = sampled(g_y, g_paired)
    parts["gen"] = g_rows, g_y, _ = g_rows[g_usable], g_y[g_usable], g_paired[g_usable]
    x = {name: matrix(sets[name], parts[name][0]) for name in sets}
    if y.sum() < 8:
        continue
    author = np.array([sets["learn"].items[item]["author"] for item in sets["learn"].item[rows]])
    items = sets["learn"].item[rows]
    seen = np.flatnonzero(np.bincount(x["learn"].indices, minlength=width) >= 20)
    x = {name: each[:, seen].tocsr() for name, each in x.items()}
    usable, weights = sampled(y, paired)
    whole = sp.vstack([x["learn"][usable], x["gen"]]).tocsr()
    labels = np.concatenate([y[usable], g_y])
    by_grammar = np.array([sets["gen"].items[item]["author"] == "grammar" for item in sets["gen"].item[g_rows]])
    weight = np.concatenate([weights[usable], np.where(by_grammar, 0.5, 0.25) * g_weights[g_usable]])
    writer = np.concatenate([author[usable], np.full(len(g_rows), "generated")])

    def train(held):
        keep = ~np.isin(writer, held)
        return lgb.train(params, lgb.Dataset(whole[keep], labels[keep], weight=weight[keep]), rounds)

    p = np.zeros(len(y))
    for fold in folds:
        held = np.isin(author, fold)
        if held.any():
            p[held] = train(fold).predict(x["learn"][held])
    model = train([])
    d_rows, d_y, d_paired = parts["develop"]
    d_p = model.predict(x["develop"]) if len(d_rows) else np.zeros(0)
    model.save_model(f"{folder}/models/{field.replace(' ', '-')}.txt")
    json.dump([names[at] for at in seen], open(f"{folder}/models/{field.replace(' ', '-')}.signs.json", "w"))
    out["learn"][field] = (rows, p, y)
    out["develop"][field] = (d_rows, d_p, d_y)
    pickle.dump({name: out[name][field] for name in out}, open(f"{folder}/predictions/{field.replace(' ', '-')}.pickle", "wb"))

    def top(set_name, rows, p, y):
        """For empty fields: how many of the best candidates are right at some thresholds."""
        data = sets[set_name]
        best = {}
        for row, chance, right in zip(rows, p, y):
            group = data.group[row]
            if group not in best or chance > best[group][0]:
                best[group] = (chance, right)
        at = fields.index(field)
        empties = [(*best[g], at in data.groups[g]["has"]) for g in best if at in data.groups[g]["empty"] and data.groups[g]["paired"]]
        has = sum(at in g["has"] and at in g["empty"] and g["paired"] for g in data.groups)
        judged = sorted([each for each in empties if each[2]], reverse=True)
        line = []
        for threshold in (0.3, 0.5, 0.7, 0.85):
            some = [each for each in empties if each[0] >= threshold]
            known = [each for each in some if each[2]]
            line.append(f"{threshold}: {int(sum(e[1] for e in known))}/{len(known)}+{len(some) - len(known)}")
        return f"of {has} " + "  ".join(line)

    print(f"{field:22} rows {len(y)} right {int(y.sum())} {time.time() - began:.0f}s\n    learn   {top('learn', rows, p, y)}\n    develop {top('develop', d_rows, d_p, d_y)}", flush=True)
