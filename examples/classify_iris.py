"""Rules for a table: scikit-learn's own tools work with them."""

from sklearn.datasets import load_iris
from sklearn.model_selection import train_test_split

import glasstree as gt

flowers, kinds = load_iris(return_X_y=True, as_frame=True)
train, test, train_kinds, test_kinds = train_test_split(flowers, kinds, random_state=0)

classifier = gt.NLDTClassifier(max_depth=2, random_state=0).fit(train, train_kinds)

print(f"accuracy on unseen flowers: {classifier.score(test, test_kinds):.1%}\n")
print(gt.to_text(classifier.tree_, units="original"))
