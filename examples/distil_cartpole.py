"""Turn the CartPole network that comes with glasstree into one rule, and use it."""

import glasstree as gt

result = gt.distill("cartpole", data="regular", episodes=500)

for name, found in result.performances.items():
    print(f"{name:14}{found.mean_reward:8.2f} reward{found.success_rate:8.1%} success")

policy = result.policy
print(f"\n{policy.n_rules} rule(s), {policy.rule_length:.0f} exponents a rule\n")
print(gt.to_text(policy, units="original"))

state = [0.0, 0.1, -0.02, 0.3]
steps, leaf = policy.path(state)
print(f"in {dict(zip(policy.state_names, state, strict=True))} it goes", end=" ")
print(f"{policy.action_names[leaf.action]}, by a margin of {steps[0].margin:.3f}")
