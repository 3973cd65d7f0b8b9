/**
 * Student's t distribution. The tail is the regularised incomplete beta function (Abramowitz and Stegun 26.7.1):
 *
 *     P(T > t) = I_x(v/2, 1/2) / 2   with   x = v / (v + t^2),   t >= 0
 */
export function studentUpperTail(t: number, degreesOfFreedom: number): number {
  const half = incompleteBeta(degreesOfFreedom / (degreesOfFreedom + t * t), degreesOfFreedom / 2, 0.5) / 2;
  return t >= 0 ? half : 1 - half;
}

/**
 * The `p` quantile, 0 < p < 1; degrees of freedom need not be whole. Exact to some 1e-10 of its own size.
 *
 * Newton's method on ln P(T > t) over ln t, which is all but a straight line in the tail; halving where it would leave
 * the bracket.
 */
export function studentQuantile(p: number, degreesOfFreedom: number): number {
  if (p === 0.5) return 0;
  if (p < 0.5) return -studentQuantile(1 - p, degreesOfFreedom);
  const tail = 1 - p;
  let low = 0;
  let high = Number.POSITIVE_INFINITY;
  let t = 1;
  for (let step = 0; step < 200; step += 1) {
    const above = studentUpperTail(t, degreesOfFreedom);
    if (above > tail) low = t;
    else high = t;
    const slope = (t * studentDensity(t, degreesOfFreedom)) / above;
    const newton = t * Math.exp(Math.log(above / tail) / slope);
    const next = newton > low && newton < high ? newton : high === Number.POSITIVE_INFINITY ? t * 2 : (low + high) / 2;
    if (Math.abs(next - t) <= 1e-13 * t) return next;
    t = next;
  }
  return t;
}

function studentDensity(t: number, degreesOfFreedom: number): number {
  const power = ((degreesOfFreedom + 1) / 2) * Math.log1p((t * t) / degreesOfFreedom);
  return Math.exp(-power - logBeta(degreesOfFreedom / 2, 0.5)) / Math.sqrt(degreesOfFreedom);
}

/** I_x(a, b) by its continued fraction (Abramowitz and Stegun 26.5.8), evaluated by Lentz's method. */
function incompleteBeta(x: number, a: number, b: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  // The fraction converges fast on this side of the mean only; the other one is its mirror image.
  if (x > (a + 1) / (a + b + 2)) return 1 - incompleteBeta(1 - x, b, a);
  const front = Math.exp(a * Math.log(x) + b * Math.log(1 - x) - logBeta(a, b)) / a;
  const tiny = 1e-300;
  let f = 1;
  let c = 1;
  let d = 0;
  for (let i = 0; i <= 1000; i += 1) {
    const m = Math.floor(i / 2);
    const numerator =
      i === 0
        ? 1
        : i % 2 === 0
          ? (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m))
          : (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / nonZero(1 + numerator * d, tiny);
    c = nonZero(1 + numerator / c, tiny);
    f *= c * d;
    if (Math.abs(1 - c * d) < 1e-15) break;
  }
  return front * (f - 1);
}

const nonZero = (value: number, tiny: number) => (Math.abs(value) < tiny ? tiny : value);

const logBeta = (a: number, b: number) => logGamma(a) + logGamma(b) - logGamma(a + b);

const LANCZOS = [
  0.99999999999980993, 676.5203681218851, -1259.1392167224028, 771.32342877765313, -176.61502916214059,
  12.507343278686905, -0.13857109526572012, 9.9843695780195716e-6, 1.5056327351493116e-7,
];

/** ln Γ(x), x > 0: Lanczos' approximation, g = 7 and 9 terms (Godfrey 2001), some 15 digits. */
function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
  const z = x - 1;
  const t = z + 7.5;
  let sum = LANCZOS[0]!;
  for (let index = 1; index < LANCZOS.length; index += 1) sum += LANCZOS[index]! / (z + index);
  return 0.5 * Math.log(2 * Math.PI) + (z + 0.5) * Math.log(t) - t + Math.log(sum);
}
