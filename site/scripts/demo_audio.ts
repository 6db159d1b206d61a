/** Music transcription: the notes of a sound as a piano roll. */

import { runAudioDemo } from './demos/audio_demo.js';

void runAudioDemo();
