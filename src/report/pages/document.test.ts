import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keptTogether } from './document.js';

test('figures and times are not broken in prose, and other texts stay as they are', () => {
  const [day, time] = ['2026-11-20', '2026-11-20 10:00 UTC'];
  assert.equal(
    keptTogether(`<p title="5 ms">20 % of 3 s, on ${time}: 4 shops</p><td><bdi>${day}</bdi></td>`),
    `<p title="5 ms">20\u{a0}% of 3\u{a0}s, on <span class="day">${time}</span>: 4 shops</p>` +
      `<td><bdi><span class="day">${day}</span></bdi></td>`,
  );
  for (const html of [
    '<pre><b>1 ms</b> 2 s</pre>',
    '<script>if (1 %2) 3 % 4</script>',
    '<code>3 s</code>',
    `<svg><text>${day}</text></svg>`,
    `<bdi>a target on ${day}</bdi>`,
  ])
    assert.equal(keptTogether(html), html);
});
