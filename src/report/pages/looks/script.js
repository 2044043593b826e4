/**
 * The page's only script. The page is readable without it. It adds the filter and copy buttons. The address
 * has the open card and the filter (`#list-ok`, `#q=rate`, `#list-ok&q=rate`). It writes no HTML, and uses
 * the page's text only for searching and copying.
 */

(() => {
  'use strict';
  const all = (selector) => [...document.querySelectorAll(selector)];
  // A sandboxed frame has no history, and an address may be no URI.
  const attempt = (act) => {
    try {
      return act();
    } catch {
      return null;
    }
  };
  // A page may be read long after its run.
  for (const time of all('time.moment')) {
    const hours = Math.floor((Date.now() - Date.parse(time.dateTime)) / 3_600_000);
    const [amount, unit] = hours < 48 ? [hours, 'hour'] : [Math.floor(hours / 24), 'day'];
    if (amount > 0) time.append(` (${amount} ${unit}${amount === 1 ? '' : 's'} ago)`);
  }
  for (const block of all('pre.copyable')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy on-screen';
    button.textContent = 'Copy ' + block.dataset.copy;
    const text = block.textContent;
    const copy = async () => {
      try {
        await navigator.clipboard.writeText(text);
        button.textContent = 'Copied';
      } catch {
        getSelection().selectAllChildren(block.querySelector('code'));
        button.textContent = 'Selected: copy it';
      }
      setTimeout(() => {
        button.textContent = 'Copy ' + block.dataset.copy;
      }, 2000);
    };
    button.addEventListener('click', () => void copy());
    block.before(button);
  }

  // The page of a run that could not start has nothing to filter, and neither has a load run's.
  if (!document.getElementById('filter')) return;
  document.querySelector('.tools').hidden = false;

  const cards = all('details.card');
  const cells = all('a.cell[data-id]');
  const parts = all('section.part');
  const filter = document.getElementById('filter');
  const found = document.querySelector('.found-count');
  const show = document.getElementById('found');
  const textOf = (card) =>
    ['summary', '.statement', '.origin']
      .map((part) => card.querySelector(part).textContent)
      .join(' ')
      .toLowerCase();
  const texts = new Map(cards.map((card) => [card.dataset.id, textOf(card)]));
  let quiet = false;

  const address = () => {
    const [id = '', ...rest] = location.hash.slice(1).split('&');
    const pairs = new URLSearchParams([id.includes('=') ? id : '', ...rest].join('&'));
    const name = attempt(() => decodeURIComponent(id)) ?? id;
    return { id: id.includes('=') ? '' : name, words: pairs.get('q') || '' };
  };
  const remember = (id) => {
    const words = filter.value.trim();
    const hash = [id, words && 'q=' + encodeURIComponent(words)].filter(Boolean).join('&');
    attempt(() => history.replaceState(null, '', '#' + hash));
  };

  const apply = () => {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    const fits = (id) => words.every((word) => (texts.get(id) || '').includes(word));
    let shown = 0;
    for (const card of cards) {
      card.hidden = !fits(card.dataset.id);
      if (!card.hidden) shown += 1;
    }
    for (const part of parts) part.hidden = !part.querySelector('details.card:not([hidden])');
    for (const cell of cells) cell.classList.toggle('dimmed', !fits(cell.dataset.id));
    found.hidden = show.hidden = words.length === 0;
    show.textContent = 'Show ' + shown + ' of ' + cards.length;
    found.textContent =
      words.length === 0 ? '' : shown + ' of ' + cards.length + ' requirements match the filter.';
  };

  const visit = () => {
    const { id, words } = address();
    const card = cards.find((each) => each.dataset.id === id);
    if (words !== filter.value.trim() && (words || !card || card.hidden)) filter.value = words;
    apply();
    if (!card) return;
    quiet = true;
    card.open = true;
    card.scrollIntoView();
    card.querySelector('summary').focus({ preventScroll: true });
    setTimeout(() => {
      quiet = false;
      remember(id);
    });
  };

  const toRequirements = () => document.getElementById('requirements').scrollIntoView();
  show.addEventListener('click', toRequirements);
  filter.addEventListener('input', () => {
    apply();
    remember('');
  });
  filter.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') toRequirements();
    if (event.key === 'Escape') {
      filter.value = '';
      apply();
      remember('');
      filter.blur();
    }
  });
  document.addEventListener('keydown', (event) => {
    const typing = event.target instanceof Element && event.target.closest('input, textarea, select');
    if (event.key !== '/' || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    filter.focus();
    filter.select();
  });
  for (const card of cards)
    card.addEventListener('toggle', () => {
      if (!quiet) remember(card.open ? card.dataset.id : '');
    });
  window.addEventListener('hashchange', visit);

  let opened = [];
  window.addEventListener('beforeprint', () => {
    quiet = true;
    opened = cards.filter((card) => !card.open && !card.classList.contains('quiet'));
    for (const card of opened) card.open = true;
  });
  window.addEventListener('afterprint', () => {
    for (const card of opened) card.open = false;
    setTimeout(() => {
      quiet = false;
    });
  });

  if (location.hash) visit();
})();
