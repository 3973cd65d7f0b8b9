"""Prints the golden values of the statistics tests: pip install scipy==1.17.1 && python golden.py"""

import numpy as np
from scipy.stats import t

print("Student's t, quantiles")
for p, df in [
    (0.975, 1), (0.975, 2), (0.975, 4), (0.995, 4), (0.9995, 9),
    (0.975, 30), (0.975, 1000), (0.9, 2.5), (0.99999, 5),
]:
    print(p, df, repr(float(t.ppf(p, df))))

print("half width of the 95 % interval of the ratios 1.1, 1.0, 1.2, as a factor")
logs = np.log([1.1, 1.0, 1.2])
print(repr(float(np.exp(t.ppf(0.975, 2) * logs.std(ddof=1) / 3**0.5))))
