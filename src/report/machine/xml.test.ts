import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { anyText } from '../../base/kernel/any-text.test.support.js';
import { visible } from '../../base/kernel/visible.js';
import { readXml } from '../strict-xml.test.support.js';
import { element, xmlDocument } from './xml.js';

test('a document has each element on its own line', () =>
  assert.equal(
    xmlDocument(element('a', { n: 1 }, [element('b', {}), element('c', { t: '<"&>' }, 'x < y && z')])),
    [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<a n="1">',
      '  <b/>',
      '  <c t="&lt;&quot;&amp;&gt;">x &lt; y &amp;&amp; z</c>',
      '</a>',
    ].join('\n'),
  ));

test('a reader gets back every text, in an element and in an attribute', () =>
  fc.assert(
    fc.property(anyText(), (any) => {
      const text = visible(any);
      const root = readXml(xmlDocument(element('a', { t: text.replace(/\s/g, '_') }, `${text}.`)));
      assert.equal(root.text, `${text}.`);
    }),
  ));
