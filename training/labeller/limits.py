"""Learns for each field how far its chances are off, and writes limits: limits.py FOLDER CHANCE. CHANCE is the least probability of what is added."""
import json
import math
import sys
from collections import defaultdict

folder, wanted = sys.argv[1], float(sys.argv[2])
silence = 0.5
doubt = 0.6
logit = lambda p: math.log(max(p, 1e-3) / max(1 - p, 1e-3))
logistic = lambda x: 1 / (1 + math.exp(-x))
some = defaultdict(list)
for fill in json.load(open(f"{folder}/fills-learn.json")):
    if fill["empty"] and fill["paired"] and fill["p"] >= 0.2:
        some[fill["field"]].append((logit(fill["p"]), float(fill["right"]), 1.0 if fill["has"] else silence))
limits = {}
for field, each in sorted(some.items()):
    shift = 0.0
    for _ in range(50):
        slope = sum(w * (y - logistic(x + shift)) for x, y, w in each) - shift / doubt**2
        bend = sum(w * logistic(x + shift) * (1 - logistic(x + shift)) for x, y, w in each) + 1 / doubt**2
        shift += slope / bend
    limits[field] = round(min(0.97, max(0.4, logistic(logit(wanted) - shift))), 3)
for part in ("stop day", "stop lastDay", "stop startHour", "stop endHour"):
    limits.pop(part, None)
json.dump(limits, open(f"{folder}/limits.json", "w"), indent=1)
print(limits)
