"""verdicts.py FOLDER: the scenarios that failed in FOLDER/report.json, one line each: id, tab, reason."""
import json
import sys

with open(f"{sys.argv[1]}/report.json") as file:
    report = json.load(file)
for scenario in report["scenarios"]:
    if scenario["verdict"] == "fail":
        print(scenario["id"], " ".join(scenario["reason"].split())[:240], sep="\t")
