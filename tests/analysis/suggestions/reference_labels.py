"""The roles of columns in the reference tables that have a header."""

from __future__ import annotations


def _labels(**columns: str) -> dict[str, str]:
    return {name: role for role, names in columns.items() for name in names.split()}


ADULT = "age workclass education marital-status occupation native-country"
LABELS = {
    "arx/adult.csv": _labels(quasi=f"{ADULT} sex race", sensitive="salary-class"),
    "comp430/adult-hw1.csv": _labels(quasi=f"{ADULT} relationship gender", sensitive="income"),
    "peers/adult30162.csv": _labels(
        quasi=f"{ADULT} education-num relationship race sex",
        sensitive="income",
        identifying="fnlwgt",  # whoever has the survey finds nearly every row by its weight
        other="capital-gain capital-loss hours-per-week",
    ),
    "sdc/eia.csv": _labels(
        identifying="UTILITYID UTILNAME",
        quasi="STATE",
        sensitive="RESREVENUE COMREVENUE INDREVENUE OTHREVENUE TOTREVENUE "
        "RESSALES COMSALES INDSALES OTHRSALES TOTSALES",
        other="YEAR MONTH",
    ),
    "sdc/testdata.csv": _labels(
        identifying="ori_hid",
        quasi="urbrur roof walls water electcon relat sex age hhcivil",
        sensitive="expend income savings",
        other="sampling_weight household_weights",
    ),
    "sdc/tarragona.csv": _labels(
        sensitive="FIXED.ASSETS CURRENT.ASSETS TREASURY UNCOMMITTED.FUNDS PAID.UP.CAPITAL SHORT.TERM.DEBT SALES "
        "LABOR.COSTS DEPRECIATION OPERATING.PROFIT FINANCIAL.OUTCOME GROSS.PROFIT NET.PROFIT"
    ),
    "sdc/cascrefmicrodata.csv": _labels(
        identifying="AFNLWGT",
        sensitive="AGI EMCONTRB FEDTAX PTOTVAL STATETAX TAXINC POTHVAL INTVAL PEARNVAL FICA WSALVAL ERNVAL",
    ),
}
