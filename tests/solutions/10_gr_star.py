# %% 10-fair-score
def score(accuracy, classes):
    above = max(0.0, (accuracy - 1 / classes) / (1 - 1 / classes))
    share = (1 + above) / 2
    return share * (share**0.5 - (1 - share) ** 0.5) ** 2


# %% 10-column-order
from cogkit.generalization.metric import relevance

first = generalization.items("Linear 0")
order = (-relevance.mutual_information(first.x, first.y)).argsort().tolist()

# %% 10-better
from sklearn.datasets import load_digits
from sklearn.tree import DecisionTreeClassifier

x, y = load_digits(return_X_y=True)
pair = [generalization.GRStar().score(DecisionTreeClassifier(max_depth=depth), x, y) for depth in (1, 12)]
