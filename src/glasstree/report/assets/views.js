// Which policy the page shows: the chosen one at first, any other of the front when it is asked for.
const chosen = Number(byId("chosen").textContent);
let current = data.views.find(({ key }) => key === chosen);
let policy = exported[chosen];

const policyListeners = [];
function whenPolicyChanges(listener) {
  policyListeners.push(listener);
}

function showPolicy(key) {
  current = data.views.find((view) => view.key === key);
  policy = exported[key];
  document.querySelectorAll("[data-policy]").forEach((part) => { part.hidden = Number(part.dataset.policy) !== key; });
  policyListeners.forEach((listener) => listener());
}
