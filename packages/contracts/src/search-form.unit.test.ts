import { expect, test } from 'vitest';
import { searchForm } from './search-form.ts';

test.each([
  ['CAFÉ Crème', 'cafe creme'],
  ['Straße, Smørrebrød, Œuvre, Łódź', 'strasse, smorrebrod, oeuvre, lodz'],
  ['IŞIK ışık İstanbul', 'isik isik istanbul'],
  ['ΟΔΟΣ οδός', 'οδοσ οδοσ'],
  ['Чёрный чай', 'черныи чаи'],
  ['שָׁלוֹם', 'שלום'],
  ['مُحَمَّد', 'محمد'],
  ['ｶﾞﾗｽ ガラス カラス', 'ガラス ガラス カラス'],
  ['हिन्दी हन्द', 'हिन्दी हन्द'],
  ['สีแดง', 'สีแดง'],
  ['홍차', '홍차'],
  ['soft\u00adware, می\u200cخواهم', 'software, میخواهم'],
])('%j is searched as %j', (text, form) => {
  expect(searchForm(text)).toBe(form);
  expect(searchForm(form)).toBe(form);
});
