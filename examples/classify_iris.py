"""Rules for a table: scikit-learn's own tools work with them."""

from dataclasses import replace

from sklearn.datasets import load_iris
from sklearn.model_selection import train_test_split

import glasstree as gt

iris = load_iris()
train, test, train_kinds, test_kinds = train_test_split(iris.data, iris.target, random_state=0)

classifier = gt.NLDTClassifier(max_depth=2, random_state=0).fit(train, train_kinds)

print(f"accuracy on unseen flowers: {classifier.score(test, test_kinds):.1%}\n")
names = {"state_names": tuple(iris.feature_names), "action_names": tuple(iris.target_names)}
print(gt.to_text(replace(classifier.tree_, **names), units="original"))
