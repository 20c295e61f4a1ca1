# %% 03-first-entropy
import math

first_entropy = math.log(48)

# %% 03-passed
log = training.load("rectangle/abstract").log
passed = log.step[log.validation < 11.85].iloc[0]

# %% 03-advantages
advantages = []
following = ahead = 0.0
for reward, value in ((1.0, 0.5), (0.1, 0.2), (-0.1, 0.0)):
    ahead = reward + 0.9 * following - value + 0.9 * 0.6 * ahead
    following, advantages = value, [ahead, *advantages]
