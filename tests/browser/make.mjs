// Makes the records and pages that the checks look at: node make.mjs REFEREE FOLDER

import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { makeFixtures } from './fixtures.mjs';

const [referee, folder] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
makeFixtures(resolve(referee), resolve(folder));
