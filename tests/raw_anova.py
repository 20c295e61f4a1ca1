"""Analysis of variance of raw scores by statsmodels: what the package's own, from cells alone, must agree with."""

from __future__ import annotations

import pandas as pd
import statsmodels.formula.api as smf
from statsmodels.stats.anova import anova_lm


def anova(frame: pd.DataFrame, response: str, factors: list[str], typ: int = 2) -> pd.DataFrame:
    """Return the table of a full factorial model, in the columns of `stats.anova_from_cells`."""
    plain = {name: f"factor{i}" for i, name in enumerate(factors)}  # formulas cannot hold every column name
    data = frame[factors].astype(str).rename(columns=plain).assign(response=frame[response].astype(float))
    model = smf.ols("response ~ " + " * ".join(f"C({name}, Sum)" for name in plain.values()), data).fit()
    table = (
        anova_lm(model, typ=typ)
        .drop(index="Intercept", errors="ignore")
        .rename(columns={"sum_sq": "ss", "F": "f", "PR(>F)": "p"})
    )
    names = {f"C({code}, Sum)": name for name, code in plain.items()} | {"Residual": "residual"}
    terms = [":".join(names[part] for part in term.split(":")) for term in table.index]
    table = table.assign(term=terms, df_resid=float(model.df_resid), partial_eta2=table.ss / (table.ss + model.ssr))
    table.loc[table.term == "residual", "partial_eta2"] = float("nan")
    return table[["term", "ss", "df", "df_resid", "f", "p", "partial_eta2"]].reset_index(drop=True)
