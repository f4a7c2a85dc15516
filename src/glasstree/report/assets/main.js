startFronts({ chosen, take: showPolicy });
startTree();
startTrying();
startReplay();
startMaps();
whenPolicyChanges(() => {
  markShown(current.key);
  if (!data.fronts.length) return;
  const same = current.key === chosen;
  byId("shown").textContent = same ? `The page shows the chosen policy, of ${current.name}.` : `The page shows the policy of ${current.name}; chosen is the one of ${data.views.find(({ key }) => key === chosen).name}.`;
  byId("back-to-chosen").disabled = same;
});
if (data.fronts.length) byId("back-to-chosen").addEventListener("click", () => showPolicy(chosen));
showPolicy(chosen);
