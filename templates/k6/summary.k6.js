export function handleSummary(data) {
  const lines = Object.keys(data.metrics)
    .sort()
    .map((name) => {
      const { type, contains, values } = data.metrics[name];
      const unit = contains === 'time' ? 'ms' : '';
      const each = Object.keys(values)
        .map((key) => `${key}=${values[key]}${key === 'count' ? '' : unit}`)
        .join(' ');
      const text =
        {
          counter: contains === 'data' ? `${values.count} B ${values.rate} B/s` : `${values.count} ${values.rate}/s`,
          rate: `${(values.rate * 100).toFixed(2)}% ${values.passes} out of ${values.passes + values.fails}`,
          gauge: `${values.value} min=${values.min} max=${values.max}`,
        }[type] || each;
      return `    ${name}...: ${text}\n`;
    });
  return { __SUMMARY_PATH__: JSON.stringify(Object.assign({ wrkbench: __OWN__ }, data)), stdout: lines.join('') };
}
