const scores = await chrome.runtime.sendMessage('scores');
document.querySelector('output').value = JSON.stringify(scores);
