"""Chooses values for empty fields from the predictions of train.py, with what the other candidates say: choose.py FOLDER."""
import json
import os
import pickle
import sys
from collections import defaultdict
from datetime import date
import numpy as np
import lightgbm as lgb
from sklearn.linear_model import LogisticRegression
from data import fields, load, signs_of

folder = sys.argv[1]
names = signs_of(folder)
predictions = {"learn": {}, "develop": {}}
for field in fields:
    path = f"{folder}/predictions/{field.replace(' ', '-')}.pickle"
    if os.path.exists(path):
        for name, each in pickle.load(open(path, "rb")).items():
            predictions[name][field] = each
least = 0.04
sets = {name: load(f"{folder}/{name}", names) for name in ("learn", "develop")}
kinds = {"Loading": 1, "Unloading": 2, "Customs": 3, "Stop": 4}


def days(one, other):
    try:
        return (date.fromisoformat(one[:10]) - date.fromisoformat(other[:10])).days
    except (ValueError, TypeError):
        return None


none = lambda v: -99 if v is None else max(-60, min(60, v))


class Chances:
    """The chances of one set, by group, candidate and value."""

    def __init__(self, data, own):
        self.data = data
        self.value = lambda row: str(data.candidates[data.candidate[row]][1])
        self.rows = [(field, row, p, right) for field, (rows, ps, y) in own.items() for row, p, right in zip(rows, ps, y) if p >= least]
        self.by_group, self.by_value, self.by_candidate, self.by_key = (defaultdict(list) for _ in range(4))
        keyed = [names.index(name) for name in ("fromTop", "fromLeft")]
        place = data.pair[:, keyed].toarray()
        tops = defaultdict(float)
        for field, row, p, _ in self.rows:
            tops[field, data.group[row]] = max(tops[field, data.group[row]], p)
        self.tops_of_group, self.tops_of_item, self.tops_of_field = (defaultdict(list) for _ in range(3))
        for (field, group), p in tops.items():
            item = data.groups[group]["item"]
            self.tops_of_group[group].append(p)
            self.tops_of_item[item].append(p)
            self.tops_of_field[field, item].append(p)
        parallel = defaultdict(list)
        for field, row, p, _ in self.rows:
            group, candidate = data.group[row], data.candidate[row]
            item = data.item[row]
            self.by_group[field, group].append((p, row))
            self.by_value[field, group, self.value(row)].append(p)
            self.by_candidate[candidate].append((field, group, p))
            for at, key in enumerate(data.candidates[candidate][10:13]):
                if key:
                    self.by_key[field, item, at, key].append((p, group, candidate))
            parallel[field, item].append((place[row], p, group, row))
        self.parallel = {}
        for (field, _), some in parallel.items():
            where = np.array([each[0] for each in some])
            ps, owners = np.array([each[1] for each in some]), np.array([each[2] for each in some])
            close = (np.abs(where[:, None, :] - where[None]).max(-1) < 1.6) & (owners[:, None] != owners[None])
            for each, q in zip(some, np.where(close, ps[None], 0).max(axis=1)):
                self.parallel[field, each[3]] = q

    def signs(self, field, row, p):
        data, value = self.data, self.value
        group, candidate = data.group[row], data.candidate[row]
        info, shown, item = data.groups[group], data.candidates[candidate], data.items[data.item[row]]
        at = fields.index(field)
        own = self.by_group[field, group]
        others = [q for q, other in own if value(other) != value(row)]
        same = self.by_value[field, group, value(row)]
        here = self.by_candidate[candidate]
        kin = [q for f, g, q in here if f == field and g != group]
        cross = [q for f, g, q in here if f != field and g == group]
        crossed = [q for f, g, q in here if f != field and g != group]
        stops = item["data"].get("locations") or []
        ordered = before = after = own_day = None
        if shown[0] == "Day":
            ordered = days(str(shown[1]), item["data"].get("orderDate"))
            if info["scope"] == "stop":
                known = [stop.get("startDate") or stop.get("endDate") for stop in stops]
                earlier = [known[i] for i in range(min(info["index"], len(known))) if known[i]]
                later = [known[i] for i in range(info["index"] + 1, len(known)) if known[i]]
                before = days(str(shown[1]), earlier[-1]) if earlier else None
                after = days(later[0], str(shown[1])) if later else None
                known_day = known[info["index"]] if info["index"] < len(known) else None
                own_day = days(str(shown[1]), known_day) if known_day else None
        alike = []
        for place, key in enumerate(shown[10:13]):
            twins = [q for q, g, c in self.by_key.get((field, data.item[row], place, key), []) if c != candidate and g != group] if key else []
            mine = [q for q, g, c in self.by_key.get((field, data.item[row], place, key), []) if c != candidate and g == group] if key else []
            alike += [max(twins, default=0), max(mine, default=0)]
        mean = lambda some: sum(some) / len(some)
        general = [mean(self.tops_of_group[group]), mean(self.tops_of_item[data.item[row]]), mean(self.tops_of_field[field, data.item[row]])]
        miss = 1 - np.prod([1 - q for q in same])
        return [
            at, p, miss, max(others, default=0), sum(q > p for q in others), p - max(others, default=0), len(same),
            max(kin, default=0), p - max(kin, default=0), max(cross, default=0), p - max(cross, default=0), max(crossed, default=0),
            len(stops), info["index"], kinds.get(info.get("kind"), 0), at in info["empty"], none(ordered), none(before), none(after),
            none(own_day), len(str(shown[8])), shown[9] != "", sum(others), *alike, self.parallel[field, row], *general,
        ]


table = {name: Chances(sets[name], predictions[name]) for name in sets}
arrays = {}
for name, chances in table.items():
    data, rows = sets[name], chances.rows
    x = np.array([chances.signs(field, row, p) for field, row, p, _ in rows], np.float32)
    y = np.array([right for *_, right in rows], np.float32)
    groups = [data.groups[data.group[row]] for _, row, *_ in rows]
    has = np.array([fields.index(field) in group["has"] for (field, *_), group in zip(rows, groups)])
    empty = np.array([fields.index(field) in group["empty"] for (field, *_), group in zip(rows, groups)])
    paired = np.array([group["paired"] for group in groups])
    author = np.array([data.items[data.item[row]]["author"] for _, row, *_ in rows])
    arrays[name] = (x, y, has, empty, paired, author)

params = dict(objective="binary", learning_rate=0.03, num_leaves=16, min_data_in_leaf=25, lambda_l2=3.0, bagging_fraction=0.8, bagging_freq=1,
              feature_fraction=0.7, verbose=-1, num_threads=1, max_bin=63, seed=1)
rounds = 400
x, y, has, empty, paired, author = arrays["learn"]
weight = np.where(empty, 1.0, 0.35) * np.where(has, 1.0, 0.5)
authors = sorted(set(author))
folds = [authors[at::4] for at in range(4)]


def fitted(keep):
    return lgb.train(params, lgb.Dataset(x[keep], y[keep], weight=weight[keep]), rounds)


second = np.zeros(len(y))
for fold in folds:
    held = np.isin(author, fold)
    second[held] = fitted(paired & ~held).predict(x[held])
model = fitted(paired)
model.save_model(f"{folder}/models/choose.txt")
final = {"learn": second, "develop": model.predict(arrays["develop"][0])}

several = {"stop reference", "order truck", "order trailer"}
logit = lambda p: np.log(max(p, 0.003) / max(1 - p, 0.003))


def windows(name):
    """For each stop, the most likely begin and end of its window: signs, value, whether it is right, and its group."""
    data, rows, p = sets[name], table[name].rows, final[name]
    by = defaultdict(list)
    right_days = defaultdict(set)
    for at, (field, row, _, right) in enumerate(rows):
        if field in ("stop day", "stop lastDay", "stop startHour", "stop endHour"):
            by[field, data.group[row]].append((p[at], table[name].value(row), bool(right)))
            if right:
                right_days[field, data.group[row]].add(table[name].value(row))
    starts, ends = [], []
    for at, group in enumerate(data.groups):
        if group["scope"] != "stop" or not group["paired"]:
            continue
        item = data.items[group["item"]]
        top = {field: sorted(by[f"stop {field}", at], reverse=True) for field in ("day", "lastDay", "startHour", "endHour")}
        best = lambda field: top[field][0] if top[field] else (0.003, None, False)
        margin = lambda field: best(field)[0] - max((q for q, v, _ in top[field] if v != best(field)[1]), default=0)
        has = lambda field: fields.index(f"stop {field}") in group["has"]
        stops = item["data"].get("locations") or []
        now = stops[group["index"]]
        begun = str(now.get("startDate") or "")
        day, hour, to, last = best("day"), best("startHour"), best("endHour"), best("lastDay")
        facts = dict(file=item["file"], item=item["at"], index=group["index"], paired=True)
        if day[1]:
            timed = hour[0] >= 0.4
            value = f"{day[1]}T{hour[1]}" if timed else day[1]
            right = day[2] and (hour[2] if timed and has("startHour") else not has("startHour"))
            signs = [logit(day[0]), margin("day"), logit(hour[0]) * timed, logit(hour[0]) * (not timed), margin("startHour") * timed, timed, logit(to[0])]
            starts.append((signs, right, dict(facts, field="stop start", value=value, has=has("day"), empty=not begun and not now.get("endDate")), item["author"]))
        start_day = begun[:10] or (day[1] if day[0] >= 0.5 else None)
        if start_day:
            different = bool(last[1] and last[1] > start_day and last[0] >= 0.5)
            end_day = last[1] if different else start_day
            timed = to[0] >= 0.4
            if not timed and not different:
                continue
            value = f"{end_day}T{to[1]}" if timed else end_day
            right = end_day in right_days["stop lastDay", at] and (to[2] if timed and has("endHour") else not has("endHour"))
            signs = [logit(to[0]) * timed, logit(to[0]) * (not timed), margin("endHour") * timed, different, logit(last[0]) * different,
                     logit(last[0]) * (not different and last[1] == start_day), logit(day[0]) * (not begun), not begun, timed]
            ends.append((signs, right, dict(facts, field="stop end", value=value, has=has("lastDay"), empty=not now.get("endDate")), item["author"]))
    return starts, ends


together = {name: windows(name) for name in sets}
extra = {name: [] for name in sets}
for k in range(2):
    sx = {name: np.array([each[0] for each in together[name][k]], float) for name in sets}
    sy = np.array([each[1] for each in together["learn"][k]], int)
    sw = np.array([1.0 if each[2]["empty"] else 0.4 for each in together["learn"][k]])
    sa = np.array([each[3] for each in together["learn"][k]])
    regression = lambda keep: LogisticRegression(C=0.5, max_iter=500).fit(sx["learn"][keep], sy[keep], sample_weight=sw[keep])
    chance = np.zeros(len(sy))
    for fold in folds:
        held = np.isin(sa, fold)
        chance[held] = regression(~held).predict_proba(sx["learn"][held])[:, 1]
    whole = regression(np.ones(len(sy), bool))
    print("window", k, "weights", np.round(whole.coef_, 2).tolist(), np.round(whole.intercept_, 2).tolist())
    json.dump(dict(weights=whole.coef_[0].tolist(), bias=float(whole.intercept_[0])), open(f"{folder}/models/window-{k}.json", "w"))
    for name, each in (("learn", chance), ("develop", whole.predict_proba(sx["develop"])[:, 1])):
        for q, (_, right, facts, _) in zip(each, together[name][k]):
            extra[name].append(dict(facts, other=None, text="", type="", p=round(float(q), 4), right=bool(right)))

for name, data in sets.items():
    x, y, has, empty, paired, author = arrays[name]
    rows = table[name].rows
    best = {}
    for at, (field, row, _, right) in enumerate(rows):
        group = data.group[row]
        key = (field, group, table[name].value(row)) if field in several else (field, group)
        if key not in best or final[name][at] > final[name][best[key]]:
            best[key] = at
    fills = list(extra[name])
    for at in best.values():
        field, row, _, right = rows[at]
        group = data.groups[data.group[row]]
        candidate = data.candidates[data.candidate[row]]
        item = data.items[data.item[row]]
        fills.append(dict(file=item["file"], item=item["at"], field=field, index=group["index"], value=candidate[1], other=candidate[2],
                          text=candidate[8], type=candidate[9], p=round(float(final[name][at]), 4), empty=bool(empty[at]), has=bool(has[at]),
                          paired=bool(paired[at]), right=bool(right)))
    json.dump(fills, open(f"{folder}/fills-{name}.json", "w"))
    some = [each for each in fills if each["empty"] and each["paired"] and each["has"] and each["field"] not in ("stop day", "stop lastDay", "stop startHour", "stop endHour")]
    print(name, "empty fields with a candidate", len(some))
    for threshold in (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9):
        chosen = [each for each in some if each["p"] >= threshold]
        silent = sum(each["p"] >= threshold and each["empty"] and each["paired"] and not each["has"] for each in fills)
        print(f"  {threshold}: {len(chosen)} judged, {sum(each['right'] for each in chosen) / max(1, len(chosen)):.3f} right, {silent} where the truth is silent")
