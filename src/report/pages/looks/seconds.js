/**
 * Of a load run's page: the figures of the second that a pointer is on, or that was chosen with the keyboard.
 * They are those of the table of seconds, which can be read without this script.
 */

(() => {
  'use strict';
  const rows = [...document.querySelectorAll('#seconds tr[data-from]')];
  const plots = [...document.querySelectorAll('#time .scrubbed')];
  if (rows.length === 0 || plots.length === 0) return;
  const heads = [...document.querySelectorAll('#seconds thead th')].map((head) => head.textContent);
  const readout = document.createElement('p');
  readout.className = 'readout';
  readout.hidden = true;
  document.getElementById('time').append(readout);
  document.querySelector('.scrub-help').hidden = false;
  let chosen = -1;

  const clear = () => {
    readout.hidden = true;
    for (const plot of plots) plot.classList.remove('scrubbing');
  };
  const show = (place) => {
    chosen = Math.min(rows.length - 1, Math.max(0, place));
    const { from, to } = rows[chosen].dataset;
    const at = (Number(from) + Number(to)) * 50 + '%';
    const figures = [...rows[chosen].cells].map((cell) => cell.textContent.trim());
    const text = figures.map((figure, column) => heads[column] + ' ' + figure).join(' · ');
    readout.textContent = text;
    readout.hidden = false;
    for (const plot of plots) {
      plot.classList.add('scrubbing');
      plot.setAttribute('aria-valuenow', chosen + 1);
      plot.setAttribute('aria-valuetext', text);
      for (const name of ['x1', 'x2']) plot.querySelector('.cursor').setAttribute(name, at);
    }
  };
  const placeOf = (share) => {
    const place = rows.findIndex((row) => share < Number(row.dataset.to));
    return place < 0 ? rows.length - 1 : place;
  };
  const STEPS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 };
  const ENDS = { Home: -Infinity, End: Infinity };
  for (const plot of plots) {
    plot.tabIndex = 0;
    plot.setAttribute('role', 'slider');
    plot.setAttribute('aria-valuemin', 1);
    plot.setAttribute('aria-valuemax', rows.length);
    plot.setAttribute('aria-valuenow', 1);
    const point = (event) => {
      const { left, width } = plot.querySelector('.plot-area').getBoundingClientRect();
      const share = (event.clientX - left) / width;
      if (share >= 0 && share <= 1) show(placeOf(share));
    };
    plot.addEventListener('pointermove', point);
    plot.addEventListener('pointerdown', point);
    plot.addEventListener('pointerleave', (event) => {
      if (event.pointerType === 'mouse' && !plot.contains(document.activeElement)) clear();
    });
    plot.addEventListener('focus', () => {
      if (plot.matches(':focus-visible')) show(Math.max(0, chosen));
    });
    plot.addEventListener('blur', clear);
    plot.addEventListener('keydown', (event) => {
      if (event.key === 'Escape') clear();
      const step = STEPS[event.key] ?? ENDS[event.key];
      if (step === undefined) return;
      show(chosen + step);
      event.preventDefault();
    });
  }
})();
