/** `45 s`, `2 min 40 s`, `12 min`, `2 h 5 min`; rounded up, below 10 minutes to 10 seconds. */
export function durationText(seconds: number): string {
  if (seconds < 100) return `${Math.ceil(seconds)} s`;
  if (seconds <= 600) {
    const tens = Math.ceil(seconds / 10) * 10;
    return tens % 60 === 0 ? `${tens / 60} min` : `${Math.floor(tens / 60)} min ${tens % 60} s`;
  }
  const minutes = Math.ceil(seconds / 60);
  return minutes < 100 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
