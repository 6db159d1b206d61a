/** Music transcription: the notes of a sound as a piano roll; or the classes of the visitor's own model. */

import './site.js';
import { runAudioDemo } from './demos/audio_demo.js';
import { classifySound } from './run/classify_sound.js';

void runAudioDemo(classifySound);
