/** Music transcription: the notes of a sound as a piano roll. */

import './site.js';
import { runAudioDemo } from './demos/audio_demo.js';

void runAudioDemo();
