"""Prints the golden values of the statistics tests: pip install scipy==1.17.1 && python golden.py"""

import numpy as np
from scipy.optimize import brentq
from scipy.special import digamma
from scipy.stats import mannwhitneyu, nct, t

print("Student's t, quantiles")
for p, df in [
    (0.975, 1), (0.975, 2), (0.975, 4), (0.995, 4), (0.9995, 9),
    (0.975, 30), (0.975, 1000), (0.9, 2.5), (0.99999, 5),
]:
    print(p, df, repr(float(t.ppf(p, df))))

print("half width of the 95 % interval of the ratios 1.1, 1.0, 1.2, as a factor")
logs = np.log([1.1, 1.0, 1.2])
print(repr(float(np.exp(t.ppf(0.975, 2) * logs.std(ddof=1) / 3**0.5))))

print("digamma")
for x in [0.5, 1, 1.5, 2, 4.5, 40]:
    print(x, repr(float(digamma(x))))

print("moderated variance, standard error and t of the first of three samples, the others its neighbours")
samples = [np.array([0.021, 0.034, 0.027, 0.019, 0.032]), np.array([0.4, -0.7, 0.9, -1.1, 0.2]) / 100,
           np.array([-0.3, 1.2, -0.8, 0.1, 0.6]) / 100]
own, *others = [s.var(ddof=1) for s in samples]
half = (5 - 1) / 2
usual = np.exp(np.mean([np.log(v) - digamma(half) + np.log(half) for v in others]))
moderated = max(own, (4 * usual + 4 * own) / 8)
error = (moderated / 5) ** 0.5
print(repr(float(usual)), repr(float(moderated)), repr(float(error)), repr(float(t.sf(samples[0].mean() / error, 8))))
print("its marginal 99 % interval")
print([repr(float(samples[0].mean() + side * t.ppf(0.995, 8) * error)) for side in (-1, 1)])

print("distance that is found in nine of ten cases, noncentral t: level, degrees of freedom, standard error 1")
for level, df in [(0.005, 4), (0.005, 8), (0.005 / 40, 8), (0.005 / 40, 13)]:
    critical = t.isf(level, df)
    print(level, df, repr(float(brentq(lambda distance: nct.sf(critical, df, distance) - 0.9, 0.1, 50))))

print("Mann-Whitney, exact, two-sided")
print(repr(float(mannwhitneyu([1.1, 2.5, 3.3, 4.9, 5.2], [2.2, 6.1, 7.4, 8.8, 9.7], method="exact").pvalue)))
print(repr(float(mannwhitneyu([1, 2, 3, 4, 5], [6, 7, 8, 9, 10, 11], method="exact").pvalue)))
