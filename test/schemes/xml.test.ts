/** XML as scheme files use it (spec/schemes-and-cli#3). @module */
import * as assert from 'uvu/assert'
import { BrokenFileError } from '../../schemes/scheme-error.ts'
import { parseXml, type XmlElement } from '../../schemes/xml.ts'
import {
  booleanAt,
  elementsAt,
  integerAt,
  textAt,
  textsAt,
  timeAt,
  translatedAt,
  unsignedAt,
} from '../../schemes/xml-values.ts'
import { suite } from '../suite.ts'

function xml(text: string): XmlElement {
  return parseXml(Buffer.from(text))
}

const Xml = suite('schemes: XML')

Xml('the text of an element is its own character data, untrimmed, without the text of children', () => {
  assert.is(textAt(xml('<r><a> x <b>no</b>\n y\t</a></r>'), 'a'), ' x \n y\t')
  assert.is(textAt(xml('<r><a>00123</a></r>'), 'a'), '00123')
})

Xml('a missing or empty element is the empty text', () => {
  for (const text of ['<r/>', '<r></r>', '<r><a/></r>', '<r><a></a></r>', '<r><a   /></r>'])
    assert.is(textAt(xml(text), 'a'), '')
})

Xml('the last of repeated elements counts, and repeated lists and translations are joined', () => {
  const root = xml(
    '<r><a>1</a><a>2</a><l><i>x</i></l><l><i>y</i></l><n><en>A</en><nl>B</nl></n><n><en>C</en></n></r>',
  )
  assert.is(textAt(root, 'a'), '2')
  assert.equal(textsAt(root, 'l', 'i'), ['x', 'y'])
  assert.equal(translatedAt(root, 'n'), { en: 'C', nl: 'B' })
})

Xml('children keep the order of the document whatever their names', () => {
  const [bases] = elementsAt(xml('<r><b><x>1</x><y>2</y><x>3</x></b></r>'), 'b')
  assert.equal(
    bases?.children.map(child => child.text),
    ['1', '2', '3'],
  )
})

Xml('prefixes do not count', () => {
  const root = xml('<p:r xmlns:p="n"><p:a p:id="1">x</p:a></p:r>')
  assert.is(root.name, 'r')
  assert.is(root.attributes.get('xmlns:p'), 'n')
  assert.is(textAt(root, 'a'), 'x')
  assert.is(elementsAt(root, 'a')[0]?.attributes.get('id'), '1')
})

Xml('attributes may have single or double quotes, and may be on several lines', () => {
  const root = xml(`<r a="1"\n\tb='2 "x"'\n/>`)
  assert.equal(
    [...root.attributes],
    [
      ['a', '1'],
      ['b', '2 "x"'],
    ],
  )
})

Xml('comments and processing instructions are dropped, CDATA is kept as it is', () => {
  assert.is(
    textAt(
      xml('<?xml version="1.0"?><!-- c --><r><a>x<!-- <b> & -->y<?pi z?><![CDATA[<&amp;>]]></a></r>'),
      'a',
    ),
    'xy<&amp;>',
  )
})

Xml('the entities of XML and numeric references are decoded once', () => {
  assert.is(
    textAt(xml('<r><a>&lt;&gt;&amp;&quot;&apos;&#65;&#x20AC;&amp;lt;</a></r>'), 'a'),
    `<>&"'A\u20ac&lt;`,
  )
  assert.is(xml('<r a="&amp;&#66;"/>').attributes.get('a'), '&B')
})

Xml('line ends become line feeds; a byte order mark and a text of any language are accepted', () => {
  assert.is(textAt(xml('\uFEFF<r><a>x\r\ny\rz \u00eb \u{1f600}</a></r>'), 'a'), 'x\ny\nz \u00eb \u{1f600}')
})

Xml('an entity of a document type declaration is not defined', () => {
  assert.is(textAt(xml('<!DOCTYPE r [<!ENTITY e "x">]><r><a>1</a></r>'), 'a'), '1')
  assert.throws(() => xml('<!DOCTYPE r [<!ENTITY e "x">]><r><a>&e;</a></r>'), /unknown entity "&e?;?"/)
})

const broken: [what: string, text: string | Uint8Array][] = [
  ['no element', ''],
  ['no element but a comment', '<!-- x -->'],
  ['an unclosed element', '<r><a></r>'],
  ['crossed elements', '<r><a><b></a></b></r>'],
  ['an attribute without quotes', '<r a=1/>'],
  ['an attribute without a value', '<r a/>'],
  ['a bare ampersand', '<r>a & b</r>'],
  ['a bare ampersand in an attribute', '<r a="a & b"/>'],
  ['an unknown entity', '<r>&nbsp;</r>'],
  ['an entity of a forbidden character', '<r>&#0;</r>'],
  ['an entity beyond Unicode', '<r>&#x110000;</r>'],
  ['a surrogate entity', '<r>&#xD800;</r>'],
  ['a control character', '<r>\u0001</r>'],
  ['two hyphens in a comment', '<r><!-- a -- b --></r>'],
  ['another encoding', '<?xml version="1.0" encoding="ISO-8859-1"?><r/>'],
  ['another version', '<?xml version="1.1"?><r/>'],
  ['bytes that are no UTF-8', Uint8Array.of(0x3c, 0x72, 0x3e, 0xff, 0x3c, 0x2f, 0x72, 0x3e)],
  ['names that an object already has', '<r><__proto__><a/></__proto__></r>'],
  ['deep nesting', `${'<a>'.repeat(200)}${'</a>'.repeat(200)}`],
]
for (const [what, text] of broken)
  Xml(`${what} is refused`, () => {
    assert.throws(
      () => parseXml(Buffer.from(text)),
      (error: unknown) => error instanceof BrokenFileError,
    )
  })

Xml('booleans, integers and times are trimmed and strict', () => {
  for (const text of ['1', 't', 'T', 'TRUE', 'true', ' True\n'])
    assert.is(booleanAt(xml(`<r><a>${text}</a></r>`), 'a'), true)
  for (const text of ['0', 'f', 'F', 'FALSE', 'false', 'False', '', ' '])
    assert.is(booleanAt(xml(`<r><a>${text}</a></r>`), 'a'), false)
  for (const text of ['yes', 'tRue'])
    assert.throws(() => booleanAt(xml(`<r><a>${text}</a></r>`), 'a'), /a: expected true or false/)
  assert.is(integerAt(xml('<r><a> -5 </a></r>'), 'a'), -5)
  assert.is(integerAt(xml('<r/>'), 'a'), 0)
  for (const text of ['1.5', '0x1', '1e3', '99999999999999999999'])
    assert.throws(() => integerAt(xml(`<r><a>${text}</a></r>`), 'a'), /a: expected an integer/)
  assert.throws(() => unsignedAt(xml('<r><a>+1</a></r>'), 'a'), /non-negative/)
  assert.is(timeAt(xml('<r/>'), 'a'), null)
  assert.is(timeAt(xml('<r><a/></r>'), 'a'), 0)
})

Xml.run()
